#!/usr/bin/env node
"use strict";
// The command `turnwise` of whoever installed the kernel. Where the library is installed, too, its command runs, which knows
// the commands of every package.
require("./node-version.cjs").requireNode();
const fs = require("fs");
const path = require("path");

/** The library's command: of the project in this folder, or else next to the kernel. */
function libraryCommand() {
  for (const from of [process.cwd(), path.join(__dirname, "..", "..")]) {
    for (let folder = from; ; folder = path.dirname(folder)) {
      const main = path.join(folder, "node_modules", "turnwise", "dist", "command", "main.js");
      if (fs.existsSync(main)) return main;
      if (folder === path.dirname(folder)) break;
    }
  }
  return undefined;
}

/** Commands that come with other packages, so that the answer is which package to install. */
const elsewhere = {
  turnwise: ["sweep", "merge", "native"],
  "turnwise-practice": ["watch", "convert", "diagnose", "serve"],
  "turnwise-course": ["new"],
};

const library = libraryCommand();
const own = path.join(__dirname, "..", "dist", "cli", "main.js");
if (library !== undefined || fs.existsSync(own)) {
  const { main } = require(library || own);
  main(process.argv.slice(2), {
    root: process.cwd(),
    argv: [process.execPath, __filename],
    program: "turnwise",
    elsewhere: elsewhere,
  }).then((code) => {
    process.exitCode = code;
  });
} else {
  process.stderr.write("Cannot run turnwise: it must be built first: " + own + " is missing\n");
  process.stderr.write("To fix it, run in the checkout: npm run build\n");
  process.exitCode = 1;
}
