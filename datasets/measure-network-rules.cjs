// Measures datasets/measured/network-rules-rates.csv and network-rules.csv: the tuning of the learning rates, then the preregistered
// study of the claims of rules that need a network. Goes on where it was stopped, from the results in build/measured. MINUTES
// Build first: npm run build
//   node datasets/measure-network-rules.cjs [world ...] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const { networkWorlds } = require("turnwise-course/internal/newRules/networkDesign");
const {
  networkStudyPlan,
  networkTuningPlan,
  tunedNetworks,
} = require("turnwise-course/internal/newRules/networkPlan");
const { networkColumns, networkRateColumns } = require("turnwise-course/internal/newRules/networkRun");
const { csvOf } = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments } = require("./measureParts.cjs");

const all = Object.keys(networkWorlds);
const fileOf = (step, world) =>
  path.join(__dirname, "..", "build", "measured", `network-rules-${step}-${world}.jsonl`);

/** The results of a plan's settings and seeds, in their order. */
async function results(step, world, plan, workers) {
  const file = fileOf(step, world);
  console.error(`${step}: ${world}`);
  await followInTerminal(sweep({ ...plan, file, workers }));
  return merge([file]).results.map(({ value }) => value);
}

async function script() {
  const { names, workers = 1 } = readArguments({ what: "world", names: all, options: ["workers"] });
  const tables = { rates: [], runs: [] };
  for (const world of names) {
    const tuned = tunedNetworks(await results("rates", world, networkTuningPlan(world), workers));
    tables.rates.push(...tuned);
    tables.runs.push(...(await results("runs", world, networkStudyPlan(world, tuned), workers)));
  }
  if (names.length < all.length) return;
  const write = (name, columns, lines) =>
    fs.writeFileSync(path.join(__dirname, "measured", `${name}.csv`), csvOf(columns, lines));
  write("network-rules-rates", networkRateColumns, tables.rates);
  write("network-rules", networkColumns, tables.runs);
}

void main(script);
