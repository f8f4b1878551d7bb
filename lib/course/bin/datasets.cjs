"use strict";
// Copies what belongs to the package and is kept elsewhere in the repository, before it is packed: the tables that the lessons read, each
// compressed, and the notebooks, in one compressed file. With --remove, removes the copies.

const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");
const { datasets, gather } = require("./notebooks.cjs");

const course = path.join(__dirname, "..");
const root = path.join(course, "..", "..");
const copy = path.join(course, "datasets");
const notebooks = path.join(course, "notebooks.json.br");

fs.rmSync(copy, { recursive: true, force: true });
fs.rmSync(notebooks, { force: true });
if (!process.argv.includes("--remove")) {
  for (const part of datasets) {
    fs.cpSync(path.join(root, "datasets", part), path.join(copy, part), {
      recursive: true,
      filter: (file) => !file.endsWith(".cjs"),
    });
  }
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 9, [zlib.constants.BROTLI_PARAM_LGWIN]: 24 };
  const packed = (content) => zlib.brotliCompressSync(content, { params });
  const tables = path.join(copy, "measured");
  for (const name of fs.readdirSync(tables).filter((one) => one.endsWith(".csv"))) {
    const file = path.join(tables, name);
    fs.writeFileSync(`${file}.br`, packed(fs.readFileSync(file)));
    fs.rmSync(file);
  }
  fs.writeFileSync(notebooks, packed(Buffer.from(JSON.stringify(gather(root)))));
}
