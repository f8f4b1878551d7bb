// Measures the runs behind lesson 06: datasets/measured/retrieved.csv, credit.csv and team-credit.csv, 20 seeds, skills.csv, 10
// seeds, hand-over.csv and subgoals.csv, 40 seeds: 0 to 19 find an effect and 20 to 39 confirm it. Goes on where it was stopped,
// from build/measured.
// About ten minutes on one core. Names of parts as arguments measure these only. Build first: npm run build
"use strict";
const lib = require("turnwise-course/agentic-pomdp");
const { measureParts, round } = require("./measureParts.cjs");

/** The worlds of a rule with all of its arms. */
function team(rule) {
  const world = Object.keys(lib.teamWorlds).filter((name) => lib.teamWorlds[name].rule === rule);
  return {
    task: { module: "turnwise-course/jobs", export: "teamJob" },
    grid: { world, arm: Object.keys(lib.teamArms[rule]), learningRate: [...lib.teamLearningRates] },
    seeds: 40,
    metric: "final",
    head: ["world", "arm", "learningRate", "seed", "final", "average", "samples", "optimizerSteps"],
    lines: ({ cell, seed, value: { final, average, samples, optimizerSteps } }) => [
      [
        `"${cell.world}"`,
        `"${cell.arm}"`,
        cell.learningRate,
        seed,
        round(final),
        round(average),
        samples,
        optimizerSteps,
      ],
    ],
  };
}

const parts = {
  retrieved: {
    task: { module: "turnwise-course/jobs", export: "retrievedJob" },
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
    task: { module: "turnwise-course/jobs", export: "creditJob" },
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
  skills: {
    task: { module: "turnwise-course/jobs", export: "skillJob" },
    grid: {
      skillArm: Object.entries(lib.skills).flatMap(([skill, { arms }]) =>
        Object.keys(arms).map((arm) => `${skill}|${arm}`),
      ),
    },
    seeds: 10,
    metric: "score",
    head: ["skill", "arm", "seed", "score", "malformedFirst", "malformedLast"],
    lines: ({ cell, seed, value: { score, malformed } }) => [
      [...cell.skillArm.split("|").map((name) => `"${name}"`), seed, ...[score, ...malformed].map(round)],
    ],
  },
  "hand-over": team("drMas"),
  subgoals: team("hiper"),
  "team-credit": {
    task: { module: "turnwise-course/jobs", export: "teamCreditJob" },
    grid: { rule: Object.keys(lib.teamArms) },
    head: ["rule", "arm", "critic", "seed", "cosine", "logNoise"],
    lines: ({ cell, seed, value }) =>
      value.map(({ arm, critic, cosine, logNoise }) => [
        cell.rule,
        `"${arm}"`,
        critic,
        seed,
        round(cosine),
        round(logNoise),
      ]),
  },
};

void measureParts(parts);
