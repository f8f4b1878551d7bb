// What the scripts share that measure a table part by part.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { followInTerminal, merge, sweep } = require("turnwise");

const SEEDS = 20;

/** Six digits, as the tables hold them. */
const round = (x) => Number(x.toPrecision(6));

async function measure(name, { task, grid, metric, head, lines }) {
  const file = path.join(__dirname, "..", "build", "measured", `${name}.jsonl`);
  console.error(name);
  const workers = Number(process.env.WORKERS ?? 2);
  await followInTerminal(sweep({ task, grid, seeds: SEEDS, file, workers, ...(metric && { metric }) }));
  const rows = merge([file]).results.flatMap(lines);
  const text = [head, ...rows].map((cells) => cells.join(",")).join("\n");
  fs.writeFileSync(path.join(__dirname, "measured", `${name}.csv`), `${text}\n`);
}

/** Measures the parts that the command line names, or all; a part goes on where it was stopped. */
async function measureParts(parts) {
  const wanted = process.argv.slice(2);
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await measure(name, part);
  }
}

module.exports = { measureParts, round };
