"use strict";
// Removes compiled files whose source is gone: a deleted test must not run forever, and `rows.js` would hide `rows/index.js`.
const fs = require("fs");
const path = require("path");
const { outputs, walk } = require("./sources.cjs");

/** Removes what the compiler once made of sources of a project that are not there any more. */
function prune(root, project) {
  const [sourceFolder, outFolder] = outputs[project].map((folder) => path.join(root, folder));
  walk(outFolder, (file) => {
    const match = /^(.*?)(\.d\.ts|\.js)(\.map)?$/.exec(file);
    if (!match) return;
    const source = path.join(sourceFolder, path.relative(outFolder, match[1]));
    const exists = [".ts", ".tsx"].some((extension) => fs.existsSync(source + extension));
    if (!exists) fs.unlinkSync(file);
  });
}

module.exports = { prune: prune };

if (require.main === module) {
  Object.keys(outputs).forEach((project) => prune(path.join(__dirname, "..", ".."), project));
}
