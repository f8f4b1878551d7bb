// Measures what the pages of the rules show: datasets/measured/rule-curves.csv, the learning curve of every rule on LookUp-v0 for the
// five seeds of `explain`, and rule-board.csv, what every rule reaches in the three worlds of the board, twenty seeds each. All seeds
// are stored. Goes on where it was stopped, from build/measured. About half an hour on two cores. Build first: npm run build
//   node datasets/measure-rules.cjs [rule-curves] [rule-board] [--workers N]
"use strict";
const { recipeNames } = require("turnwise");
const { boardBudget, boardWorlds, curveBudget } = require("turnwise-course/internal/worlds/ruleRuns");
const { measureParts } = require("./measureParts.cjs");

const round = (x) => Number(x.toFixed(4));
const task = (name) => ({ module: "turnwise-course/jobs", export: name });
const updates = Array.from(
  { length: curveBudget.updates / curveBudget.every },
  (_, i) => (i + 1) * curveBudget.every,
);

const parts = {
  "rule-curves": {
    task: task("curveJob"),
    grid: { rule: [...recipeNames] },
    seeds: [...curveBudget.seeds],
    head: ["rule", "seed", ...updates],
    lines: ({ cell, seed, value }) => [[cell.rule, seed, ...value.returns.map(round)]],
  },
  "rule-board": {
    task: task("boardJob"),
    grid: { rule: [...recipeNames], world: boardWorlds.map(({ id }) => id) },
    seeds: [...boardBudget.seeds],
    head: ["rule", "world", "seed", "reached"],
    lines: ({ cell, seed, value }) => [[cell.rule, cell.world, seed, round(value.reached)]],
  },
};

void measureParts(parts);
