// Measures datasets/measured/systems.csv: the tuning of the learning rates, then the preregistered runs about paying for tools and about a
// compromised agent. Goes on where it was stopped, from the results in build/measured. A minute on one core. Build first: npm run build
//   node datasets/measure-systems.cjs [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const {
  systemArms,
  systemColumns,
  systemRates,
  systemSeeds,
  tunedSystemRate,
} = require("turnwise-course/internal/systems/run");
const { csvOf } = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments } = require("./measureParts.cjs");

const task = { module: "turnwise-course/jobs", export: "systemJob" };

async function results(step, cell, seeds, workers) {
  const file = path.join(__dirname, "..", "build", "measured", `systems-${step}.jsonl`);
  await followInTerminal(sweep({ task, grid: { cell }, seeds, metric: "trained", file, workers }));
  return merge([file]).results.map(({ value }) => value);
}

async function script() {
  const { workers = 1 } = readArguments({ what: "name", options: ["workers"] });
  const arms = Object.keys(systemArms);
  const grid = arms.flatMap((arm) =>
    systemRates.map((rate) => ({ name: `${arm}, rate ${rate}`, arm, rate })),
  );
  const tuning = await results("rates", grid, systemSeeds.tuning, workers);
  const chosen = arms.map((arm) => ({ name: arm, arm, rate: tunedSystemRate(tuning, arm) }));
  const runs = await results("runs", chosen, systemSeeds.study, workers);
  fs.writeFileSync(path.join(__dirname, "measured", "systems.csv"), csvOf(systemColumns, runs));
}

void main(script);
