"use strict";
// The parts of the site that are made of this repository's sources: the kernel as a prebuilt extension of JupyterLite, and the
// service worker.

const fs = require("fs");
const path = require("path");
const { bundle } = require("./bundles.cjs");
const { bundlePackages } = require("./packages.cjs");
const { bundleLibrary } = require("./library.cjs");
const { buildTypes, typeFiles } = require("./declarations.cjs");
const { nameByContent } = require("./scripts.cjs");

const name = "turnwise-kernel";

/** The bundles by file name. */
const scripts = {
  "remoteEntry.js": "site/src/page/extension.ts",
  "cells.js": "site/src/cells/main.ts",
};

/** The script that typesets formulas, and what it shows them with. */
async function bundleMath(root, folder) {
  await bundle({
    entry: "site/src/math/main.ts",
    outfile: path.join(folder, "math.js"),
    format: "esm",
  });
  const katex = path.join(root, "node_modules", "katex", "dist");
  fs.copyFileSync(path.join(katex, "katex.min.css"), path.join(folder, "katex.min.css"));
  // Every browser that runs the site takes this form of a font, and asks for no other.
  fs.cpSync(path.join(katex, "fonts"), path.join(folder, "fonts"), {
    recursive: true,
    filter: (file) => !/\.(ttf|woff)$/.test(file),
  });
}

const version = (root, file) => JSON.parse(fs.readFileSync(path.join(root, file), "utf8")).version;

/** The versions that the kernel of a page reports. */
const versionsOf = (root) => ({
  kernel: version(root, "kernel/package.json"),
  typescript: version(root, "node_modules/typescript/package.json"),
});

/** Writes the extension into `folder`, with `packages` of npm for cells, and returns what was bundled. */
async function writeExtension(root, folder, packages) {
  const target = path.join(folder, name);
  const statics = path.join(target, "static");
  const into = path.join(statics, "scripts");
  fs.rmSync(target, { recursive: true, force: true });
  fs.mkdirSync(into, { recursive: true });
  const versions = versionsOf(root);
  const made = [];
  for (const [file, entry] of Object.entries(scripts)) {
    const outfile = path.join(into, file);
    await bundle({ entry, outfile, format: "iife", define: { VERSIONS: JSON.stringify(versions) } });
    made.push(outfile);
  }
  await bundleLibrary(path.join(into, "library"));
  await bundlePackages(root, path.join(into, "packages"), packages);
  await bundleMath(root, path.join(into, "math"));
  await buildTypes(into, packages);
  made.push(...typeFiles.map((file) => path.join(into, file)));
  for (const logo of ["logo-32x32.png", "logo-64x64.png"])
    fs.copyFileSync(path.join(root, "kernel", "assets", logo), path.join(statics, logo));
  const scriptsName = nameByContent(into);
  // JupyterLite reads what the extension puts into toolbars and menus from here.
  fs.mkdirSync(path.join(target, "schemas", name), { recursive: true });
  fs.copyFileSync(
    path.join(root, "site", "static", "reader.json"),
    path.join(target, "schemas", name, "reader.json"),
  );
  const about = {
    name,
    version: versions.kernel,
    description: "The turnwise kernel for JupyterLite: TypeScript in the browser",
    license: "Apache-2.0",
    jupyterlab: {
      _build: {
        load: "static/" + scriptsName + "/remoteEntry.js",
        extension: "./extension",
        mimeExtension: "./mimeExtension",
      },
    },
    jupyterlite: { liteExtension: true },
  };
  fs.writeFileSync(path.join(target, "package.json"), JSON.stringify(about, null, 2) + "\n");
  return made;
}

async function bundleInto(root, folder, entries) {
  fs.mkdirSync(folder, { recursive: true });
  const define = { VERSIONS: JSON.stringify(versionsOf(root)) };
  for (const [file, entry] of Object.entries(entries))
    await bundle({ entry, outfile: path.join(folder, file), format: "iife", define });
}

/** Writes bare.js, a page's script that runs the kernel without JupyterLite. */
const writePageScript = (root, folder) => bundleInto(root, folder, { "bare.js": "site/src/bare/main.ts" });

/** Writes what the tests need to run the kernel in a page without JupyterLite, and without the site. */
async function writeTestParts(root, folder) {
  await writePageScript(root, folder);
  await bundleInto(root, folder, { "cells.js": scripts["cells.js"] });
  await bundleLibrary(path.join(folder, "library"));
  await buildTypes(folder);
}

module.exports = {
  versionsOf: versionsOf,
  writeExtension: writeExtension,
  writePageScript: writePageScript,
  writeTestParts: writeTestParts,
};
