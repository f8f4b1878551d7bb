// Measures search as a teacher, branches and SHARP: datasets/measured/searched-*.csv, branching.csv and sharp.csv. Seeds 0 to 19 find,
// 20 to 39 confirm, of the search and of GRPO beside it. Goes on where it was stopped, from build/measured. About
// forty minutes on one core. Names of parts as arguments measure these only. Build first: npm run build
"use strict";
const { branchedWorlds } = require("turnwise-course/internal/09-search-and-world-models/branchingRun");
const { sharpArms, sharpSteps } = require("turnwise-course/internal/09-search-and-world-models/sharpRun");
const { measureParts, round } = require("./measureParts.cjs");

const SEEDS = 40;
const study = "turnwise-course/internal/09-search-and-world-models";

const searched = (arm) => ({
  task: { module: `${study}/expertIterationRun`, export: "searchedJob" },
  grid: { world: ["Codebreaker", "ApiChain"], arm },
  seeds: SEEDS,
  head: ["world", "arm", "seed", "steps", "score"],
  lines: ({ cell, seed, value }) =>
    value.map(({ steps, score }) => [cell.world, `"${arm}"`, seed, steps, round(score)]),
});

void measureParts({
  "searched-expert": searched("expert iteration"),
  "searched-grpo": searched("grpo"),
  branching: {
    task: { module: `${study}/branchingRun`, export: "branchingJob" },
    grid: { world: Object.keys(branchedWorlds) },
    seeds: SEEDS,
    head: ["world", "arm", "seed", "groups", "steps", "logNoise", "cosine", "expectedCosine"],
    lines: ({ cell, seed, value }) =>
      value.map(({ arm, groups, ...point }) => [
        cell.world,
        `"${arm}"`,
        seed,
        groups,
        ...[point.steps, point.logNoise, point.cosine, point.expectedCosine].map(round),
      ]),
  },
  sharp: {
    task: { module: `${study}/sharpRun`, export: "sharpJob" },
    grid: { team: Object.keys(sharpSteps), arm: Object.keys(sharpArms) },
    seeds: SEEDS,
    head: ["team", "arm", "seed", "count", "share", "updates", "score"],
    lines: ({ cell, seed, value }) =>
      value.map(({ count, share, updates, score }) => [
        `"${cell.team}"`,
        `"${cell.arm}"`,
        seed,
        `"${count}"`,
        ...[share, updates, round(score)],
      ]),
  },
});
