"use strict";
// Where the kernel's scripts lie in the site: in a folder that is named by what they hold. A page that is open while the site is
// updated goes on with those that it came with, as a browser or the service worker has kept them, and never gets newer ones.

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const statics = "extensions/turnwise-kernel/static/";
const named = /^[0-9a-f]{16}$/;

function* filesIn(folder, below = "") {
  for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below + entry.name;
    if (entry.isDirectory()) yield* filesIn(folder, name + "/");
    else yield name;
  }
}

/** Names a folder by the names and the bytes of its files; returns its new name. */
function nameByContent(folder) {
  const hash = crypto.createHash("sha256");
  for (const name of [...filesIn(folder)].sort())
    hash.update(name + "\n").update(fs.readFileSync(path.join(folder, name)));
  const name = hash.digest("hex").slice(0, 16);
  fs.renameSync(folder, path.join(path.dirname(folder), name));
  return name;
}

/** The folder of the kernel's scripts, from the site's, with "/" at its end. */
function scriptsOf(out) {
  const name = fs.readdirSync(path.join(out, statics)).find((one) => named.test(one));
  if (name === undefined)
    throw new Error("Cannot find the kernel's scripts: the site must be built, but npm run site.");
  return statics + name + "/";
}

module.exports = { nameByContent: nameByContent, scriptsOf: scriptsOf };
