"use strict";
// The packages of npm that cells of the site can import: those of site/packages.json and of `npm run site -- --with <package>`.

const fs = require("fs");
const path = require("path");
const { bundle } = require("./bundles.cjs");
const { Complaint } = require("turnwise-kernel/bootstrap/steps.cjs");

/** The packages that are listed in the repository. */
const listed = (root) => JSON.parse(fs.readFileSync(path.join(root, "site", "packages.json"), "utf8"));

/** `left-pad` of `left-pad/lib/x.js`, `@scope/name` of `@scope/name/x`. */
const packageOf = (specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** Manifest of an installed package, from npm. */
function manifestOf(root, specifier) {
  const name = packageOf(specifier);
  const file = path.join(root, "node_modules", name, "package.json");
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, "utf8"));
  throw new Complaint(
    `Cannot build ${specifier} into the site: it must be installed, but it is not in node_modules. ` +
      `Install it first: npm install --no-save --ignore-scripts ${name}.`,
  );
}

/** The words behind each --with of a command line, which commas may divide. */
function asked(args) {
  const words = args.flatMap((word, i) => (args[i - 1] === "--with" ? word.split(",") : []));
  if (words.length < args.filter((word) => word === "--with").length || words.some((word) => !isName(word)))
    throw new Complaint(
      'Cannot build the site: the name of a package must follow --with, such as "--with d3-array", ' +
        `got "${words.find((word) => !isName(word)) ?? ""}".`,
    );
  return words;
}

const isName = (word) => /^(@[\w.-]+\/)?\w[\w.-]*(\/[\w./-]+)?$/.test(word);

/** Writes each package as a module into `folder`, and packages.json, which lists them for cells. */
async function bundlePackages(root, folder, names) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const all = [];
  for (const name of names) {
    const { version } = manifestOf(root, name);
    const file = name.replace(/[@/]/g, "_") + ".js";
    try {
      await bundle({
        stdin: {
          // One form for modules of both kinds: the namespace as a value.
          contents: `import * as whole from ${JSON.stringify(name)};\nexport default whole;`,
          resolveDir: root,
        },
        outfile: path.join(folder, file),
        format: "esm",
        logLevel: "silent",
      });
    } catch (error) {
      const [first] = error.errors ?? [];
      throw new Complaint(
        `Cannot build ${name} into the site: it must run in a browser: ${first ? first.text : error.message}`,
      );
    }
    all.push({ name, version, file });
  }
  fs.writeFileSync(path.join(folder, "packages.json"), JSON.stringify(all) + "\n");
}

module.exports = {
  asked: asked,
  bundlePackages: bundlePackages,
  listed: listed,
  manifestOf: manifestOf,
  packageOf: packageOf,
};
