// Measures the runs behind lesson 08: datasets/measured/step-*.csv, 40 seeds of every setting, 0-19 to find and 20-39 to confirm;
// goes on where it was stopped, from build/measured. About twenty minutes on one core. Names of parts as arguments measure these
// only. Build first: npm run build
"use strict";
const { judges } = require("turnwise-course/internal/08-step-credit/biasedJudge");
const { falseSettings } = require("turnwise-course/internal/08-step-credit/falseRun");
const { anythingArms, anythingWorlds } = require("turnwise-course/internal/08-step-credit/anythingRun");
const { measureParts, round } = require("./measureParts.cjs");

const SEEDS = 40;
const READING = [0, 0.5, 1, 2];
const figures = ["score", "overall", "falseSteps", "steps", "evaluations"];

/** Runs of one kind: what is the same in all of them, and what is varied. */
const runs = (grid, columns) => ({
  task: { module: "turnwise-course/internal/08-step-credit/stepRun", export: "stepJob" },
  grid,
  metric: "score",
  seeds: SEEDS,
  head: [...columns, "seed", ...figures, "curve"],
  lines: ({ cell, seed, value }) => [
    [
      // A cell names only what is varied.
      ...columns.map((name) => JSON.stringify(cell[name] ?? grid[name])),
      seed,
      ...figures.map((name) => round(value[name])),
      value.curve.map(round).join(" "),
    ],
  ],
});

const parts = {
  "step-turns": {
    task: { module: "turnwise-course/internal/08-step-credit/turnsRun", export: "turnsJob" },
    grid: {},
    seeds: SEEDS,
    head: ["method", "seed", "correlation", "direction", "oneBatch", "steps", "evaluations"],
    lines: ({ seed, value }) =>
      value.map(({ method, correlation, direction, oneBatch, steps, evaluations }) => [
        `"${method}"`,
        seed,
        ...[correlation, direction, oneBatch, steps, evaluations].map(round),
      ]),
  },
  "step-reading": runs(
    {
      world: "LookUp-v0",
      arm: ["information gain", "implicit reward"],
      paid: ["with", "without"],
      reading: READING,
    },
    ["arm", "paid", "reading"],
  ),
  "step-outcome": runs({ world: "LookUp-v0", arm: ["verdict on the sign", "votes"], paid: "without" }, [
    "world",
    "arm",
  ]),
  "step-judges": runs(
    {
      world: "LookUp-v0",
      arm: ["verdict on the sign", "votes"],
      paid: "with",
      judge: Object.keys(judges),
    },
    ["world", "arm", "judge"],
  ),
  "step-false": {
    task: { module: "turnwise-course/internal/08-step-credit/falseRun", export: "falseJob" },
    grid: { setting: Object.keys(falseSettings), paid: ["with", "without"] },
    metric: "score",
    seeds: SEEDS,
    head: ["setting", "paid", "seed", "score", "falseSteps", "scores", "falses"],
    lines: ({ cell: { setting, paid }, seed, value: { score, falseSteps, course } }) => [
      [
        ...[setting, paid].map((name) => JSON.stringify(name)),
        seed,
        ...[score, falseSteps].map(round),
        ...[course.scores, course.falseSteps].map((windows) => windows.map(round).join(" ")),
      ],
    ],
  },
  "step-anything": {
    task: { module: "turnwise-course/internal/08-step-credit/anythingRun", export: "anythingJob" },
    grid: { world: Object.keys(anythingWorlds), arm: Object.keys(anythingArms) },
    metric: "bySteps",
    seeds: SEEDS,
    head: ["world", "arm", "seed", "bySteps", "byOptimiser", "judge", "level", "steps", "levels"],
    lines: ({ cell, seed, value: v }) => [
      [
        ...[cell.world, cell.arm].map((name) => JSON.stringify(name)),
        seed,
        ...[v.bySteps, v.byOptimiser, v.judge, v.level, v.steps].map(round),
        v.levels.map(round).join(" "),
      ],
    ],
  },
};

void measureParts(parts);
