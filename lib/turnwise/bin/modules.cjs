"use strict";
// Writes the packages as ES modules into `esm/`, from which bundlers for pages take the functions that are used and leave the rest.
// Only the condition "browser" of package.json leads there: Node has one copy of each module, the CommonJS one in `dist/`.

const fs = require("node:fs");
const path = require("node:path");
const { replaceFile } = require("../../../kernel/bootstrap/replace-file.cjs");

const gradients = path.join(__dirname, "..", "vendor", "tfjs-gradients", "index.js");

/** Module of `esm/` that a source file imports by a relative path. */
function target(importer, source, folder) {
  const from = path.resolve(path.dirname(importer), source.replace(/\.js$/, ""));
  // Next to the modules, as one of them.
  const to = from === path.dirname(gradients) ? path.join(folder, "src", "vendor", "gradients") : from;
  const index = !fs.existsSync(`${to}.ts`) && fs.existsSync(path.join(to, "index.ts"));
  const place = path.relative(path.dirname(importer), index ? path.join(to, "index") : to);
  const posix = place.split(path.sep).join("/");
  return `${posix.startsWith(".") ? "" : "./"}${posix}.js`;
}

/** Writes the modules of one package, each from the source of its name. */
function writeModules(folder) {
  let esbuild;
  try {
    esbuild = require("esbuild");
  } catch {
    return; // Only whoever bundles or publishes needs them.
  }
  const sources = path.join(folder, "src");
  const out = path.join(folder, "esm");
  const names = fs
    .readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"));
  const { outputFiles } = esbuild.buildSync({
    absWorkingDir: folder,
    entryPoints: names.map((name) => path.join(sources, name)),
    outdir: out,
    outbase: sources,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    write: false,
    logLevel: "error",
  });
  const kept = new Set();
  const write = (file, text) => {
    kept.add(file);
    if (fs.existsSync(file) && fs.readFileSync(file, "utf8") === text) return;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    replaceFile(file, text);
  };
  for (const { path: file, text } of outputFiles) {
    const importer = path.join(sources, path.relative(out, file));
    write(
      file,
      text.replace(
        /(\bfrom |\bimport |\bimport\()"(\.[^"\n]*)"/g,
        (_, before, source) => `${before}"${target(importer, source, folder)}"`,
      ),
    );
  }
  if (path.dirname(path.dirname(path.dirname(gradients))) === folder) {
    const text = fs.readFileSync(gradients, "utf8");
    const exported = "module.exports = ";
    if (!text.includes(exported))
      throw new Error(`Cannot write ${out}: ${gradients} must hold "${exported}".`);
    write(path.join(out, "vendor", "gradients.js"), text.replace(exported, "export default "));
  }
  for (const name of fs.readdirSync(out, { recursive: true, encoding: "utf8" })) {
    const file = path.join(out, name);
    if (name.endsWith(".js") && !kept.has(file)) fs.rmSync(file);
  }
}

module.exports = { writeModules };

if (require.main === module) {
  for (const name of ["turnwise", "practice", "course"]) {
    writeModules(path.join(__dirname, "..", "..", name));
  }
}
