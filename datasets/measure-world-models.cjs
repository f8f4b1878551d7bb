// Measures the runs behind lesson 09: datasets/measured/simulators.csv, dyna.csv, shapley.csv, thinking.csv and pairs.csv, 40 seeds
// of every setting: 0 to 19 find an effect and 20 to 39 confirm it. Goes on where it was stopped, from build/measured. About half an
// hour on one core. Names of parts as arguments measure these only. Build first: npm run build
"use strict";
const { shapleyTeams } = require("turnwise-course/internal/09-search-and-world-models/shapleyRun");
const { pairArms, pairWorlds } = require("turnwise-course/internal/09-search-and-world-models/twoAgents");
const thinking = require("turnwise-course/internal/09-search-and-world-models/thinkOrTry");
const runs = require("turnwise-course/internal/09-search-and-world-models/worldModelRun");
const { measureParts, round } = require("./measureParts.cjs");

const SEEDS = 40;
const world = Object.keys(runs.modeledWorlds);

const parts = {
  dyna: {
    task: { module: "turnwise-course/jobs", export: "dynaJob" },
    grid: { world, arm: Object.keys(runs.dynaArms) },
    seeds: SEEDS,
    head: ["world", "arm", "seed", "update", "realSteps", "modelSteps", "score", "optimism"],
    lines: ({ cell, seed, value }) =>
      value.map((p) => [
        cell.world,
        `"${cell.arm}"`,
        seed,
        ...[p.update, p.realSteps, p.modelSteps],
        ...[p.score, p.optimism].map(round),
      ]),
  },
  simulators: {
    task: { module: "turnwise-course/jobs", export: "simulatorJob" },
    grid: { world, error: Object.keys(runs.simulatorErrors), rate: [...runs.simulatorRates] },
    seeds: SEEDS,
    metric: "score",
    head: ["world", "error", "rate", "seed", "score", "promised"],
    lines: ({ cell, seed, value: { score, promised } }) => [
      [cell.world, `"${cell.error}"`, cell.rate, seed, round(score), round(promised)],
    ],
  },
  shapley: {
    task: { module: "turnwise-course/internal/09-search-and-world-models/shapleyRun", export: "shapleyJob" },
    grid: { team: Object.keys(shapleyTeams) },
    seeds: SEEDS,
    head: ["team", "seed", "update", "J", "gained", "value", "oneSided", "cosine"],
    lines: ({ cell, seed, value }) =>
      value.map((p) => [
        `"${cell.team}"`,
        seed,
        p.update,
        ...[p.J, p.gained].map(round),
        p.value.map(round).join(" "),
        p.oneSided.map(round).join(" "),
        round(p.cosine),
      ]),
  },
  thinking: {
    task: { module: "turnwise-course/jobs", export: "thinkingJob" },
    grid: {
      world: [...thinking.thinkingWorlds],
      thinker: [...thinking.thinkers],
      budget: [...thinking.thinkingBudgets],
    },
    seeds: SEEDS,
    metric: "score",
    head: ["world", "thinker", "budget", "seed", "score", "steps"],
    lines: ({ cell, seed, value: { score, steps } }) => [
      [cell.world, `"${cell.thinker}"`, cell.budget, seed, round(score), round(steps)],
    ],
  },
  pairs: {
    task: { module: "turnwise-course/internal/09-search-and-world-models/twoAgents", export: "pairJob" },
    grid: { world: Object.keys(pairWorlds), arm: [...pairArms] },
    seeds: SEEDS,
    metric: "either",
    head: ["world", "arm", "seed", "either", "single"],
    lines: ({ cell, seed, value: { either, single } }) => [
      [cell.world, `"${cell.arm}"`, seed, round(either), round(single)],
    ],
  },
};

void measureParts(parts);
