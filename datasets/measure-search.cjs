// Measures search as a teacher: datasets/measured/searched-*.csv. Expert iteration has 20 seeds, GRPO five, and not 40, since a run of
// GRPO takes minutes at so many steps. Goes on where it was stopped, from build/measured. About half an hour on one core. Names of
// parts as arguments measure these only. Build first: npm run build
"use strict";
const { measureParts, round } = require("./measureParts.cjs");

/** An axis of one value is no part of a cell. */
const part = (world, arm, seeds) => ({
  task: { module: "turnwise/study", export: "searchedJob" },
  grid: { world, arm: [arm] },
  seeds,
  head: ["world", "arm", "seed", "steps", "score"],
  lines: ({ cell, seed, value }) =>
    value.map(({ steps, score }) => [cell.world ?? world[0], `"${arm}"`, seed, steps, round(score)]),
});

void measureParts({
  "searched-codebreaker": part(["Codebreaker"], "expert iteration", 20),
  "searched-api-chain": part(["ApiChain"], "expert iteration", 20),
  "searched-grpo": part(["Codebreaker", "ApiChain"], "grpo", 5),
});
