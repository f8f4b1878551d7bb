#!/usr/bin/env node
"use strict";
require("./node-version.cjs").requireNode();
const fs = require("fs");
const path = require("path");

const main = path.join(__dirname, "..", "dist", "cli", "main.js");
if (fs.existsSync(main)) {
  require(main)
    .main(process.argv.slice(2), { root: process.cwd() })
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write("Cannot run turnwise-kernel: it must be built first: " + main + " is missing\n");
  process.stderr.write("To fix it, run in the checkout: npm run build\n");
  process.exitCode = 1;
}
