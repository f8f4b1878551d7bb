// Measures datasets/measured/update-order.csv again, over all cores; it goes on where it was stopped, from the results in
// build/measured. About twenty minutes on two cores. Build first: npm run build
//   node datasets/measure-update-order.cjs [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const { orderStudy, orderTask } = require("turnwise-course/update-order-ablation");
const { main, readArguments } = require("./measureParts.cjs");

const SEEDS = 20;
const columns = [
  "part",
  "world",
  "arm",
  "scale",
  "beta",
  "seed",
  "success",
  "reward",
  "samples",
  "optimizerSteps",
];

/** The results of one part, in the order of the plan. */
async function measure(part, grid, run) {
  const file = path.join(__dirname, "..", "build", "measured", `update-order-${part}.jsonl`);
  console.error(part);
  await followInTerminal(sweep({ task: orderTask, grid, seeds: SEEDS, metric: "success", file, ...run }));
  return merge([file]).results;
}

async function script() {
  const { workers } = readArguments({ what: "name", options: ["workers"] });
  const run = workers === undefined ? {} : { workers };
  const lines = [columns.join(",")];
  for (const [part, grid] of Object.entries(orderStudy)) {
    for (const { cell, value } of await measure(part, grid, run)) {
      const beta = grid.world === undefined ? 2 : "";
      const row = { part, world: "ToolChain-v0", scale: "none", beta, ...grid, ...value, ...cell };
      lines.push(columns.map((name) => (name === "arm" ? `"${row[name]}"` : row[name])).join(","));
    }
  }
  fs.writeFileSync(path.join(__dirname, "measured", "update-order.csv"), lines.join("\n") + "\n");
}

void main(script);
