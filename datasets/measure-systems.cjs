// Measures datasets/measured/systems.csv, systems-sampled.csv and systems-enumerated.csv: the tuning of the learning rates, then the
// preregistered runs, about paying for tools and a compromised agent (a minute on one core), about search inside of rollouts, a memory of
// one word and the ranking of rules by stability (half an hour), and about leaving out, growing skills, next states and a memory bank (half
// an hour). Goes on where it was stopped, from the results in build/measured. Build first: npm run build
//   node datasets/measure-systems.cjs [exact | sampled | enumerated] [--workers N]
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const {
  systemArms,
  systemColumns,
  systemRates,
  systemSeeds,
  tunedSystemRate,
} = require("turnwise-course/internal/systems/run");
const { sampledColumns, sampledPlan, sampledRate } = require("turnwise-course/internal/systems/sampled/run");
const { sampledRates, sampledSeeds } = require("turnwise-course/internal/systems/sampled/design");
const { enumeratedColumns, enumeratedRate } = require("turnwise-course/internal/systems/enumerated/run");
const {
  enumeratedRates,
  enumeratedSeeds,
  enumeratedSettings,
} = require("turnwise-course/internal/systems/enumerated/design");
const { csvOf } = require("turnwise-course/internal/03-update-order-ablation/matched/stored");
const { main, readArguments, sweptValues } = require("./measureParts.cjs");

const tasks = { exact: "systemJob", sampled: "sampledJob", enumerated: "enumeratedJob" };
const metrics = { exact: "trained", sampled: "success", enumerated: "trained" };
const tables = { exact: "systems", sampled: "systems-sampled", enumerated: "systems-enumerated" };

const results = (study, step, cell, seeds, workers) =>
  sweptValues(
    `${tables[study]}-${step}`,
    {
      task: { module: "turnwise-course/jobs", export: tasks[study] },
      grid: { cell },
      seeds,
      metric: metrics[study],
    },
    workers,
  );

const write = (study, columns, runs) =>
  fs.writeFileSync(path.join(__dirname, "measured", `${tables[study]}.csv`), csvOf(columns, runs));

async function exact(workers) {
  const arms = Object.keys(systemArms);
  const grid = arms.flatMap((arm) =>
    systemRates.map((rate) => ({ name: `${arm}, rate ${rate}`, arm, rate })),
  );
  const tuning = await results("exact", "rates", grid, systemSeeds.tuning, workers);
  const chosen = arms.map((arm) => ({ name: arm, arm, rate: tunedSystemRate(tuning, arm) }));
  write("exact", systemColumns, await results("exact", "runs", chosen, systemSeeds.study, workers));
}

async function sampled(workers) {
  const named = (arm, rate) => ({ name: `${arm.arm} in ${arm.world}, rate ${rate}`, ...arm, rate });
  const grid = sampledPlan(true).flatMap((arm) => sampledRates.map((rate) => named(arm, rate)));
  const tuning = await results("sampled", "rates", grid, sampledSeeds.tuning, workers);
  const chosen = sampledPlan(false).map((arm) => named(arm, sampledRate(tuning, arm.world, arm.arm)));
  const runs = await results("sampled", "runs", chosen, sampledSeeds.study, workers);
  write("sampled", sampledColumns, runs);
}

async function enumerated(workers) {
  const named = (setting, rate) => ({
    name: `${setting.system}, ${setting.condition}, ${setting.arm}, rate ${rate}`,
    ...setting,
    rate,
  });
  const runs = [];
  for (const system of new Set(enumeratedSettings.map((setting) => setting.system))) {
    const own = enumeratedSettings.filter((setting) => setting.system === system);
    const step = system.replace(" ", "-");
    const grid = own.flatMap((setting) => enumeratedRates.map((rate) => named(setting, rate)));
    const tuning = await results("enumerated", `${step}-rates`, grid, enumeratedSeeds.tuning, workers);
    const chosen = own.map((setting) => named(setting, enumeratedRate(tuning, setting)));
    runs.push(...(await results("enumerated", `${step}-runs`, chosen, enumeratedSeeds.study, workers)));
  }
  write("enumerated", enumeratedColumns, runs);
}

async function script() {
  const { names, workers = 1 } = readArguments({
    what: "study",
    names: Object.keys(tasks),
    options: ["workers"],
  });
  if (names.includes("exact")) await exact(workers);
  if (names.includes("sampled")) await sampled(workers);
  if (names.includes("enumerated")) await enumerated(workers);
}

void main(script);
