// Measures the runs behind lesson 07: datasets/measured/reward-*.csv, goodhart.csv, verifier.csv and curriculum.csv, 40 seeds
// of every setting; goes on where it was stopped, from build/measured. About ten minutes on one core. Names of parts
// as arguments measure these only. Build first: npm run build
"use strict";
const lib = require("turnwise-course/reward-signal");
const { measureParts, round } = require("./measureParts.cjs");

const SEEDS = 40;

function rewards(world, reward, credit) {
  return {
    task: { module: "turnwise-course/jobs", export: "rewardJob" },
    grid: { world, reward, credit: [...credit] },
    metric: "score",
    seeds: SEEDS,
    head: ["world", "reward", "credit", "seed", "score", "paid", "calls", "curve"],
    lines: ({ cell, seed, value: { score, paid, calls, curve } }) => [
      [world, cell.reward, cell.credit, seed, ...[score, paid, calls].map(round), curve.map(round).join(" ")],
    ],
  };
}

const parts = {
  "reward-calculator": rewards("Calculator-v0", ["outcome", "checklist", "verification"], lib.rewardCredits),
  goodhart: {
    task: { module: "turnwise-course/jobs", export: "goodhartJob" },
    grid: { arm: Object.keys(lib.goodhartArms) },
    seeds: SEEDS,
    head: ["arm", "seed", "update", "paid", "score", "kl"],
    lines: ({ cell, seed, value }) =>
      value.map((p) => [`"${cell.arm}"`, seed, p.update, round(p.paid), round(p.score), round(p.kl)]),
  },
  verifier: {
    task: { module: "turnwise-course/jobs", export: "verifierJob" },
    grid: { verifier: Object.keys(lib.verifiers) },
    seeds: SEEDS,
    head: ["verifier", "seed", "update", "paid", "score"],
    lines: ({ cell, seed, value }) =>
      value.map((p) => [`"${cell.verifier}"`, seed, p.update, round(p.paid), round(p.score)]),
  },
  curriculum: {
    task: { module: "turnwise-course/jobs", export: "curriculumJob" },
    grid: { arm: [...lib.curriculumArms] },
    seeds: SEEDS,
    head: ["arm", "seed", "update", "hardest"],
    lines: ({ cell, seed, value }) => value.map((p) => [`"${cell.arm}"`, seed, p.update, round(p.hardest)]),
  },
  "reward-codebreaker": rewards(
    "Codebreaker-v0",
    ["outcome", "checklist", "verification"],
    ["trajectory", "reward"],
  ),
};

void measureParts(parts);
