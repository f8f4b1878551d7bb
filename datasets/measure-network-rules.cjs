// Measures datasets/measured/network-rules-rates.csv and network-rules.csv: the tuning of the learning rates, then the preregistered
// study of the claims of rules that need a network. Goes on where it was stopped, from the results in build/measured. A minute or two of one core.
// Build first: npm run build
//   node datasets/measure-network-rules.cjs [world ...] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { networkWorlds } = require("turnwise-course/internal/newRules/networkDesign");
const {
  networkStudyPlan,
  networkTuningPlan,
  tunedNetworks,
} = require("turnwise-course/internal/newRules/networkPlan");
const { networkColumns, networkRateColumns } = require("turnwise-course/internal/newRules/networkRun");
const { csvOf } = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments, sweptValues } = require("./measureParts.cjs");

const all = Object.keys(networkWorlds);
const results = (step, world, plan, workers) => sweptValues(`network-rules-${step}-${world}`, plan, workers);

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
