// Measures datasets/measured/start-here.csv and grpo.csv again, 40 seeds of each arm: a minute on two cores. Build first.
//   node datasets/measure-first-lessons.cjs
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { trainSeeds } = require("turnwise");
const { grpoArms } = require("turnwise-course/grpo-from-scratch");
const { startHereArms } = require("turnwise-course/start-here");
const { main, readArguments, round } = require("./measureParts.cjs");

const SEEDS = 40;
const world = { env: "LookUp-v0", updates: 100, exactEvery: 20 };

const tables = {
  "start-here": Object.entries(startHereArms).map(([arm, setting]) => [arm, { ...setting, recipe: "grpo" }]),
  grpo: Object.entries(grpoArms).map(([arm, recipe]) => [arm, { policy: { syntaxPrior: 3 }, recipe }]),
};

async function script() {
  readArguments({ what: "name" });
  for (const [name, arms] of Object.entries(tables)) {
    const lines = [["arm", "seed", "at40", "at100"].join(",")];
    for (const [arm, setting] of arms) {
      const { runs, seeds } = await trainSeeds({ ...world, ...setting }, SEEDS);
      runs.forEach((records, i) => {
        const at = (update) => round(records[update - 1].metrics["return/exact"]);
        lines.push([`"${arm}"`, seeds[i], at(40), at(100)].join(","));
      });
    }
    fs.writeFileSync(path.join(__dirname, "measured", `${name}.csv`), lines.join("\n") + "\n");
  }
}

void main(script);
