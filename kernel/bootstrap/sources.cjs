"use strict";
const fs = require("fs");
const path = require("path");

const skipped = new Set(["node_modules", "dist", "build", "vendor"]);

/** Sources of each project, and the folder of its compiled output. */
const outputs = {
  "lib/turnwise": ["lib/turnwise/src", "lib/turnwise/dist"],
  "lib/practice": ["lib/practice/src", "lib/practice/dist"],
  "lib/course": ["lib/course/src", "lib/course/dist"],
  kernel: ["kernel/src", "kernel/dist"],
  site: ["site/src", "site/dist"],
  test: ["test", "build/test"],
};

function walk(folder, visit) {
  if (!fs.existsSync(folder)) return;
  fs.readdirSync(folder, { withFileTypes: true }).forEach((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) walk(full, visit);
    } else visit(full);
  });
}

module.exports = { outputs: outputs, walk: walk };
