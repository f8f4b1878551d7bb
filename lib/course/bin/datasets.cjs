"use strict";
// Copies what the lessons read beside the package before it is packed, as the tables are kept once, in the repository's `datasets`;
// with --remove, removes the copy.

const fs = require("node:fs");
const path = require("node:path");

const parts = ["README.md", "logs", "measured", "papers", "tasks", "trajectories"];

const course = path.join(__dirname, "..");
const copy = path.join(course, "datasets");

fs.rmSync(copy, { recursive: true, force: true });
if (!process.argv.includes("--remove")) {
  for (const part of parts) {
    fs.cpSync(path.join(course, "..", "..", "datasets", part), path.join(copy, part), { recursive: true });
  }
}
