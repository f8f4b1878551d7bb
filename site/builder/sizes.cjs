"use strict";
// How large the site is, and how much of it the kernel.

const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { scriptsOf } = require("./scripts.cjs");
const { printViewSizes } = require("./viewSizes.cjs");

const mb = (bytes) => (bytes / 1e6).toFixed(2) + " MB";

function size(file) {
  const stat = fs.statSync(file);
  if (!stat.isDirectory()) return stat.size;
  return fs.readdirSync(file).reduce((sum, name) => sum + size(path.join(file, name)), 0);
}

/** Prints the size of the site and, for each script of the kernel, of the file and of what travels. */
function printSizes(out) {
  const folder = path.join(out, scriptsOf(out));
  const lines = fs
    .readdirSync(folder)
    .filter((name) => /\.js(on)?$/.test(name))
    .map((name) => {
      const bytes = fs.readFileSync(path.join(folder, name));
      return `  ${name.padEnd(16)} ${mb(bytes.length).padStart(9)} ${mb(zlib.gzipSync(bytes).length).padStart(9)} gzip`;
    });
  const files = ["files", "build", "extensions"].map((name) => `${name} ${mb(size(path.join(out, name)))}`);
  process.stdout.write(`build/site: ${mb(size(out))} (${files.join(", ")})\n${lines.join("\n")}\n`);
  printViewSizes(out);
}

module.exports = { printSizes: printSizes };
