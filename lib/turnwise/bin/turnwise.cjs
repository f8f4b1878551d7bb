#!/usr/bin/env node
"use strict";
// Old syntax: an old Node must get as far as the sentence that it is too old.
var required = [20, 19];
var current = process.versions.node.split(".").map(Number);
if (current[0] < required[0] || (current[0] === required[0] && current[1] < required[1])) {
  process.stderr.write(
    "Cannot start: turnwise needs Node >= " +
      required.join(".") +
      ", but this is " +
      process.versions.node +
      ".\n",
  );
  process.exit(1);
}
const fs = require("fs");
const path = require("path");

const main = path.join(__dirname, "..", "dist", "command", "main.js");
if (fs.existsSync(main)) {
  require(main)
    .main(process.argv.slice(2), { root: process.cwd(), argv: [process.execPath, __filename] })
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write("Cannot run turnwise: it must be built first: " + main + " is missing\n");
  process.stderr.write("To fix it, run in the checkout: npm run build\n");
  process.exitCode = 1;
}
