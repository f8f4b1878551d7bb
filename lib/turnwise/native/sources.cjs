"use strict";
// The C sources, and a digest by which what is compiled from them is known.
const { createHash } = require("node:crypto");
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

/** All C files below a folder, in order. */
function sources(folder = __dirname) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory()
        ? sources(join(folder, entry.name))
        : /\.[ch]$/.test(entry.name)
          ? [join(folder, entry.name)]
          : [],
    );
}

/** The first 16 digits of the hash of all sources and of the flags with which they are compiled. */
function digest(flags) {
  const hash = createHash("sha256");
  for (const file of sources()) hash.update(readFileSync(file, "utf8").replaceAll("\r\n", "\n"));
  return hash.update(JSON.stringify(flags)).digest("hex").slice(0, 16);
}

module.exports = { digest };
