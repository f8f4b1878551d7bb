"use strict";
// Bundles of TypeScript sources for the browser.

const fs = require("fs");
const path = require("path");
const esbuild = require("esbuild");

const root = path.join(__dirname, "..", "..");

/** Replacements of Node's modules in the browser, by their names: one file a module, named after it. */
function nodeStandIns() {
  const folder = path.join(root, "site", "src", "library", "node");
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".ts"));
  // fs-promises.ts stands for fs/promises.
  const moduleOf = (file) => file.slice(0, -".ts".length).replaceAll("-", "/");
  return Object.fromEntries(files.map((file) => [moduleOf(file), path.join(folder, file)]));
}

/** The modules of Node that have a stand-in, under both of their names. */
function nodeAliases() {
  const files = Object.entries(nodeStandIns());
  const aliases = files.flatMap(([name, file]) => [
    ["node:" + name, file],
    [name, file],
  ]);
  // What stands for a module may be made of the package of that name.
  return Object.fromEntries([...aliases, ["buffer/index.js", require.resolve("buffer/index.js")]]);
}

/** The sources of the course's entry points but its root, by their names, such as `echo-trap`. */
function courseEntries() {
  const folder = path.join(root, "lib", "course");
  const { exports } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  return Object.fromEntries(
    Object.entries(exports)
      .filter(([name, entry]) => entry["turnwise-source"] && name !== "." && !name.includes("*"))
      .map(([name, entry]) => [name.slice(2), path.join(folder, entry["turnwise-source"])]),
  );
}

/**
 * Bundles `entry` into `outfile`, minified and without a source map, and returns its size in bytes. Or bundles `entries`, sources by
 * name, into modules in `outdir` that share what they have in common; or a text, `stdin` of esbuild.
 *
 * `format` is "iife" (a classic worker or script), "esm" or "cjs"; `alias` maps names of modules to files or other modules, and
 * wins over the stand-ins of Node's modules. `define`, `external`, `banner`, `footer`, `globalName`, `conditions`, `inject`,
 * `loader`, `keepNames` and `plugins` are esbuild's. An import of Node that has no stand-in is an error that names the importer.
 */
async function bundle({
  entry,
  outfile,
  stdin,
  entries,
  outdir,
  format,
  alias = {},
  conditions = [],
  minify = true,
  define = {},
  ...rest
}) {
  const result = await esbuild.build({
    absWorkingDir: root,
    ...(stdin
      ? { stdin, outfile: path.resolve(root, outfile) }
      : entries
        ? { entryPoints: entries, outdir: path.resolve(root, outdir), splitting: true }
        : { entryPoints: [path.resolve(root, entry)], outfile: path.resolve(root, outfile) }),
    bundle: true,
    format,
    minify,
    sourcemap: false,
    legalComments: "none",
    platform: "browser",
    target: "es2022",
    mainFields: ["browser", "module", "main"],
    conditions: ["browser", "turnwise-source", ...conditions],
    alias: { ...nodeAliases(), ...alias },
    define: {
      "process.env.NODE_ENV": '"production"',
      global: "globalThis",
      LESSONS: JSON.stringify(Object.keys(courseEntries())),
      ...define,
    },
    metafile: true,
    logLevel: "error",
    ...rest,
  });
  const [output] = Object.values(result.metafile.outputs);
  return { bytes: output.bytes, inputs: Object.keys(result.metafile.inputs), metafile: result.metafile };
}

module.exports = { bundle: bundle, courseEntries: courseEntries, nodeStandIns: nodeStandIns };
