// Measures datasets/measured/mismatch.csv again: six corrections under six engines, 40 seeds of each; goes on where it was
// stopped, from build/measured. Five minutes on two cores. Build first: npm run build
//   node datasets/measure-mismatch.cjs
"use strict";
const lib = require("turnwise-course/internal/05-off-policy-stability/mismatch/arms");
const { measureParts, round } = require("./measureParts.cjs");

measureParts({
  mismatch: {
    task: { module: "turnwise-course/jobs", export: "mismatchJob" },
    grid: { engine: Object.keys(lib.engines), arm: Object.keys(lib.mismatchArms) },
    metric: "end",
    seeds: 40,
    head: ["engine", "arm", "seed", "end", "mean", "stopped"],
    lines: ({ cell, seed, value: { end, mean, stopped } }) => [
      [`"${cell.engine}"`, cell.arm, seed, round(end), round(mean), Number(stopped)],
    ],
  },
});
