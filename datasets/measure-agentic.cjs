// Measures the runs behind notebook 05: datasets/measured/retrieved.csv and credit.csv, 20 seeds; goes on where it was
// stopped, from build/measured. About two minutes on one core. Names of parts as arguments measure these only.
// Build first: npm run build
"use strict";
const { measureParts, round } = require("./measureParts.cjs");

const parts = {
  retrieved: {
    task: { module: "turnwise/study", export: "retrievedJob" },
    grid: { words: [0, 8], retrieved: ["masked", "trained"] },
    head: [
      "words",
      "retrieved",
      "seed",
      "before",
      "success",
      "average",
      "forged",
      "answerBefore",
      "answerAfter",
      "curve",
    ],
    lines: ({ cell, seed, value: { before, success, curve, forged, answerLoss } }) => {
      const average = curve.reduce((a, b) => a + b, 0) / curve.length;
      const numbers = [before, success, average, forged, ...answerLoss].map(round);
      return [[cell.words, cell.retrieved, seed, ...numbers, curve.map(round).join(" ")]];
    },
  },
  credit: {
    task: { module: "turnwise/study", export: "creditJob" },
    grid: {},
    head: [
      "seed",
      "rule",
      "J",
      "correlation",
      "rightSign",
      "direction",
      "oneBatch",
      "CALL",
      "CLOCK",
      "exactCALL",
      "exactCLOCK",
    ],
    lines: ({ seed, value: { J, exact, rules } }) =>
      rules.map(({ rule, correlation, rightSign, direction, oneBatch, byKind }) => [
        seed,
        `"${rule}"`,
        ...[J, correlation, rightSign, direction, oneBatch, byKind.CALL, byKind.CLOCK].map(round),
        ...[exact.CALL.mean, exact.CLOCK.mean].map(round),
      ]),
  },
};

void measureParts(parts);
