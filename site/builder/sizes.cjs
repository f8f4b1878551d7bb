"use strict";
// How large the site is, and how much of it the kernel.

const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { scriptsOf } = require("./scripts.cjs");
const { printViewSizes } = require("./viewSizes.cjs");
const { views } = require("./views.cjs");

const mb = (bytes) => (bytes / 1e6).toFixed(2) + " MB";

function size(file) {
  const stat = fs.statSync(file);
  if (!stat.isDirectory()) return stat.size;
  return fs.readdirSync(file).reduce((sum, name) => sum + size(path.join(file, name)), 0);
}

/** For each script of a folder, its name, the size of the file and of what travels. */
const linesOf = (out, below) =>
  fs
    .readdirSync(path.join(out, below))
    .filter((name) => /\.js(on)?$/.test(name))
    .map((name) => {
      const bytes = fs.readFileSync(path.join(out, below, name));
      return [name, bytes.length, zlib.gzipSync(bytes).length];
    });

const kb = (bytes) => (bytes / 1e3).toFixed(1) + " kB";

/** The sizes of the pages without a cell: `npm run site` prints them, and `node site/builder/sizes.cjs` of a site that is built. */
const viewLines = (out) =>
  Object.keys(views).flatMap((view) =>
    linesOf(out, view).map(
      ([name, size, gzip]) =>
        `  ${`${view}/${name}`.padEnd(22)} ${kb(size).padStart(9)} ${kb(gzip).padStart(9)} gzip`,
    ),
  );

/** Prints the size of the site and, for each script of the kernel and of the views, of the file and of what travels. */
function printSizes(out) {
  const lines = linesOf(out, scriptsOf(out)).map(
    ([name, size, gzip]) => `  ${name.padEnd(16)} ${mb(size).padStart(9)} ${mb(gzip).padStart(9)} gzip`,
  );
  const files = ["files", "build", "extensions"].map((name) => `${name} ${mb(size(path.join(out, name)))}`);
  process.stdout.write(
    `build/site: ${mb(size(out))} (${files.join(", ")})\n${[...lines, ...viewLines(out)].join("\n")}\n`,
  );
  printViewSizes(out);
}

module.exports = { printSizes: printSizes };

if (require.main === module) {
  const out = process.argv[2] ?? path.join(__dirname, "..", "..", "build", "site");
  process.stdout.write(`${viewLines(out).join("\n")}\n`);
}
