// Measures the runs behind on-policy distillation, RL-PLUS and PACED-RL: datasets/measured/distil.csv, boundary.csv, calibration.csv,
// calibration-old.csv, samplers.csv and samplers-old.csv, 40 seeds of every setting: 0 to 19 find an effect and 20 to 39 confirm it. Goes on where it was stopped, from
// build/measured. About twenty minutes on one core.
// Names of parts as arguments measure these only. Build first: npm run build
"use strict";
const { boundaryArms, boundaryWorlds } = require("turnwise-course/internal/teachers/boundaryRun");
const { distilArms, taughtWorlds } = require("turnwise-course/internal/teachers/distilRun");
const { betas, oldSamplerArms, samplerArms } = require("turnwise-course/internal/teachers/partitionRun");
const { measureParts, round } = require("./measureParts.cjs");

const SEEDS = 40;
const world = [...taughtWorlds];

const samplers = (arm) => ({
  task: { module: "turnwise-course/internal/teachers/partitionRun", export: "samplerJob" },
  grid: { arm },
  seeds: SEEDS,
  metric: "hardest",
  head: ["arm", "seed", "hardest", "meanHardest", "error"],
  lines: ({ cell, seed, value: v }) => [
    [
      /[ ,]/.test(cell.arm) ? JSON.stringify(cell.arm) : cell.arm,
      seed,
      ...[v.hardest, v.meanHardest, v.error].map(round),
    ],
  ],
});

const parts = {
  distil: {
    task: { module: "turnwise-course/internal/teachers/distilRun", export: "distilJob" },
    grid: { world, arm: [...distilArms] },
    seeds: SEEDS,
    metric: "score",
    head: ["world", "arm", "seed", "tokens", "steps", "score", "afterSlip", "tokensToTarget", "reached"],
    lines: ({ cell, seed, value: v }) => [
      [
        cell.world,
        cell.arm,
        seed,
        ...[v.tokens, v.steps, v.score, v.afterSlip, v.tokensToTarget, Number(v.reached)].map(round),
      ],
    ],
  },
  boundary: {
    task: { module: "turnwise-course/internal/teachers/boundaryRun", export: "boundaryJob" },
    grid: { world: Object.keys(boundaryWorlds), arm: [...boundaryArms] },
    seeds: SEEDS,
    metric: "passAt64",
    head: ["world", "arm", "seed", "passAt1", "passAt8", "passAt64", "support"],
    lines: ({ cell, seed, value: v }) => [
      [`"${cell.world}"`, `"${cell.arm}"`, seed, ...[v.passAt1, v.passAt8, v.passAt64, v.support].map(round)],
    ],
  },
  calibration: {
    task: { module: "turnwise-course/internal/teachers/partitionRun", export: "calibrationJob" },
    grid: { beta: [...betas] },
    seeds: SEEDS,
    head: ["beta", "seed", "update", "accuracy", "exactError", "fittedError", "inverseError", "divergence"],
    lines: ({ cell, seed, value }) =>
      value.map((p) => [
        round(cell.beta),
        seed,
        p.update,
        ...[p.accuracy, p.exactError, p.fittedError, p.inverseError, p.divergence].map(round),
      ]),
  },
  "calibration-old": {
    task: { module: "turnwise-course/internal/teachers/oldReferenceRun", export: "oldCalibrationJob" },
    grid: { beta: [...betas] },
    seeds: SEEDS,
    head: ["beta", "seed", "update", "accuracy", "plainError", "stepError", "optimumError"],
    lines: ({ cell, seed, value }) =>
      value.map((p) => [
        round(cell.beta),
        seed,
        p.update,
        ...[p.accuracy, p.plainError, p.stepError, p.optimumError].map(round),
      ]),
  },
  samplers: samplers([...samplerArms]),
  "samplers-old": samplers([...oldSamplerArms]),
};

void measureParts(parts);
