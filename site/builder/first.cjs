"use strict";
// What each application needs for its first result, in one file for each: more than a hundred small ones would wait for those that
// name them. `first-files.json` lists those of JupyterLite, whose names change with its version;
// `node build/test/bench/site/main.js --first` writes it. The kernel's own are found here.

const fs = require("fs");
const path = require("path");
const { scriptsOf } = require("./scripts.cjs");
const { typeOf } = require("./serve.cjs");

/** Tiers that the first cells of lessons import. */
const tiers = ["plot.js", "turnwise.js"];

/** A module of the library and all that it imports at once. */
function needed(folder, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const text = fs.readFileSync(path.join(folder, name), "utf8");
  for (const [, other] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w-]+\.js)"/g))
    needed(folder, other, found);
  return found;
}

function filesOf(out, app, lite) {
  const kernel = scriptsOf(out);
  const library = path.join(out, kernel, "library");
  const modules = new Set(tiers.flatMap((name) => [...needed(library, name)]));
  return [
    "isolate.js",
    ...["", app + "/"].flatMap((below) =>
      ["jupyter-lite.json", "jupyter-lite.ipynb", "index.html"].map((name) => below + name),
    ),
    kernel + "remoteEntry.js",
    ...lite,
    kernel + "prepare.js",
    kernel + "cells.js",
    kernel + "math/math.js",
    kernel + "math/katex.min.css",
    ...[...modules].map((name) => kernel + "library/" + name),
  ];
}

/** Writes these files in one piece: the length of a head, a head with the type and length of each, and the files. */
function pack(out, files) {
  const bodies = files.map((file) => fs.readFileSync(path.join(out, file.replace(/\?.*/, ""))));
  const head = Buffer.from(
    JSON.stringify(bodies.map((body, i) => [typeOf(files[i].replace(/\?.*/, "")), body.length])),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...bodies]);
}

/** Writes the files that a first visit loads, and returns what is in them, by application. */
function writeFirstFiles(out, stamp) {
  const listed = JSON.parse(fs.readFileSync(path.join(__dirname, "first-files.json"), "utf8"));
  fs.mkdirSync(path.join(out, "first"), { recursive: true });
  const all = Object.entries(listed).map(([app, lite]) => {
    const missing = lite.find((file) => !fs.existsSync(path.join(out, file.replace(/\?.*/, ""))));
    if (missing)
      throw new Error(
        "Cannot put together what " +
          app +
          " needs first, but JupyterLite must have each file of " +
          "site/builder/first-files.json: it has no " +
          missing +
          "; empty the lists there, and rewrite them by " +
          "node build/test/bench/site/main.js --first.",
      );
    const files = filesOf(out, app, lite);
    fs.writeFileSync(path.join(out, "first", app + "." + stamp + ".txt"), pack(out, files));
    return [app, files];
  });
  return Object.fromEntries(all);
}

module.exports = { writeFirstFiles: writeFirstFiles };
