// Measures datasets/measured/new-rules-rates.csv and new-rules.csv: the tuning of the learning rates, then the preregistered study of
// the newer rules' claims. Goes on where it was stopped, from the results in build/measured. About a quarter of an hour on one core.
// Build first: npm run build
//   node datasets/measure-new-rules.cjs [world ...] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { merge, sweep } = require("turnwise");
const { followInTerminal } = require("turnwise/plot");
const { ruleWorlds } = require("turnwise-course/internal/newRules/design");
const { ruleStudyPlan, ruleTuningPlan, tunedArms } = require("turnwise-course/internal/newRules/plan");
const { ruleColumns, ruleRateColumns } = require("turnwise-course/internal/newRules/run");
const { csvOf } = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments } = require("./measureParts.cjs");

const all = Object.keys(ruleWorlds);
const fileOf = (step, world) =>
  path.join(__dirname, "..", "build", "measured", `new-rules-${step}-${world}.jsonl`);

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
    const tuned = tunedArms(await results("rates", world, ruleTuningPlan(world), workers));
    tables.rates.push(...tuned);
    tables.runs.push(...(await results("runs", world, ruleStudyPlan(world, tuned), workers)));
  }
  if (names.length < all.length) return;
  const write = (name, columns, lines) =>
    fs.writeFileSync(path.join(__dirname, "measured", `${name}.csv`), csvOf(columns, lines));
  write("new-rules-rates", ruleRateColumns, tables.rates);
  write("new-rules", ruleColumns, tables.runs);
}

void main(script);
