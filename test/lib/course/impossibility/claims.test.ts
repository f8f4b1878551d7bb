import { impossibilityClaims } from "turnwise-course/impossibility-theorem";
import type { ImpossibilityResults } from "turnwise-course/internal/02-impossibility-theorem/results";
import { testVerdicts } from "../support";

type Counts = ImpossibilityResults["counts"];

const regimes = ["separate rows, 0/1 returns, G = 4", "one shared row, G = infinity", "heavy tails, G = 4"];

/** Two hundred trees in every cell, none of which falls but those that are named: [advantage, update, regime, falls]. */
const countsWith = (...fallen: readonly (readonly [string, string, string, number])[]): Counts =>
  ["GAE, exact critic", "GRAE, no std", "GRAE, group std"].flatMap((advantage) =>
    ["PPU", "REINFORCE"].flatMap((update) =>
      regimes.map((regime) => {
        const own = fallen.find(([a, u, r]) => advantage === a && update === u && regime.startsWith(r));
        return { advantage, update, regime, trees: 200, decreases: own?.[3] ?? 0 };
      }),
    ),
  );

const heavy = ["GRAE, group std", "PPU", "heavy", 5] as const;
const shared = ["GAE, exact critic", "PPU", "one shared", 3] as const;
const fine = { nonNegative: true, zeroAtOld: true, flatAtOld: true };
const dice = (pairs: number, fours: number): ImpossibilityResults["dice"] => {
  // Half of 300 updates at one value, and then a swing of the given width.
  const run = (width: number): { J: number[] } => ({
    J: Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 1 : 1 - width)),
  });
  return { "std, G = 2": run(pairs), "std, G = 4": run(fours), "no std, G = 2": run(0) };
};
const ends = (...values: number[]): ImpossibilityResults["noisyEnd"] =>
  values.map((J, i) => ({ rule: i < 4 ? `std, G = ${2 * 4 ** i}` : "no std, G = 8", "J at the end": J }));
const strays = (...counts: number[]): ImpossibilityResults["strays"] =>
  counts.map((count, i) => ({ groups: 8 * 4 ** i, seeds: 20, "end at looking up": count }));

const base: ImpossibilityResults = {
  counts: countsWith(heavy, shared),
  push: (G, p) => (G < 10 || p < 0.1 ? -0.5 : 0.5),
  border: (G) => (G < 9 ? undefined : 0.5),
  lookUp: { "std, G = 2": { minimum: 0.11 }, "std, G = 4": { minimum: 0.12 } },
  drifts: [
    { rule: "PPO, no std", nonNegative: true, zeroAtOld: true, flatAtOld: true },
    { rule: "group std, G = 2", ...fine },
    { rule: "group std, G = 8", ...fine },
    // Rules without a group's std say nothing about it.
    { rule: "geometric ratio", nonNegative: false, zeroAtOld: true, flatAtOld: false },
  ],
  offsets: [{ offset: 0.1 }, { offset: -0.2 }],
  contexts: { "no std": [0.2, 0.4], "batch std": [0.2, 0.4], "group std, G = infinity": [0.2, 0.06] },
  ratios: { before: 0.46, geometric: 0.35, product: 0.5 },
  noisyEnd: ends(0.1, 0.1, 0.1, 0.4, 0.4),
  dice: dice(0.3, 0.01),
  exactEnd: 0.02,
  strays: strays(11, 2, 0),
  greedy: { failures: 0, trees: 300 },
  clipped: { decreases: 0, trees: 300 },
  discounted: { now: 1, wait: 0.75, waits: true },
};

describe("the claims of the impossibility result", () => {
  const regimesOf = (...names: string[]): string => names.join(" or ");
  const all = "{separate rows, 0/1 returns, G = 4; one shared row, G = infinity; heavy tails, G = 4}";
  const [separate, , tails] = regimes as [string, string, string];
  testVerdicts(impossibilityClaims, base, [
    [
      "GRPO (GRAE",
      {},
      `holds if regime = ${regimesOf(tails, "hidden contexts, G = infinity")} of ${all.replace("}", "; hidden contexts, G = infinity}")}`,
    ],
    // No tree fell, and 200 trees of each regime leave less than .05 of all; one game does not.
    [
      "GRPO (GRAE",
      { counts: countsWith(shared), contexts: { ...base.contexts, "group std, G = infinity": [0.2, 0.4] } },
      "not shown",
    ],
    [
      "GRPO (GRAE",
      {
        counts: countsWith(
          heavy,
          ["GRAE, group std", "PPU", "separate", 1],
          ["GRAE, group std", "PPU", "one", 1],
        ),
      },
      "holds",
    ],
    ["Dividing by sigma", {}, "refuted"],
    [
      "Dividing by sigma",
      {
        drifts: [
          { rule: "group std, G = 2", ...fine, flatAtOld: false },
          { rule: "group std, G = 8", ...fine },
        ],
      },
      "holds if rule = group std, G = 2 of {group std, G = 2; group std, G = 8}",
    ],
    ["The mean-only", {}, "no effect that matters"],
    ["The mean-only", { counts: countsWith(["GRAE, no std", "PPU", "heavy", 1]) }, "holds"],
    ["A critic keeps", {}, `holds if regime = ${regimesOf(separate, tails)} of ${all}`],
    ["A critic keeps", { counts: countsWith(heavy) }, "holds"],
    [
      "A critic keeps",
      {
        counts: countsWith(
          shared,
          ["GAE, exact critic", "PPU", "heavy", 1],
          ["GAE, exact critic", "PPU", "separate", 1],
        ),
      },
      "refuted",
    ],
    [
      "A larger group",
      {},
      "holds if game = jackpot, G = 16, pi(risky) = .5; or game = jackpot, G = 64, pi(risky) = .5 (2 of 5 settings)",
    ],
    ["A larger group", { push: () => -0.5 }, "refuted"],
    [
      "A larger group",
      { push: () => 0.5, contexts: { ...base.contexts, "group std, G = infinity": [0.2, 0.4] } },
      "holds",
    ],
    ["GSPO's", {}, "refuted"],
    // One game without a fall shows nothing about all lengths.
    ["GSPO's", { ratios: { before: 0.46, geometric: 0.46, product: 0.5 } }, "not shown"],
    ["No algorithm", {}, "refuted"],
    ["No algorithm", { greedy: { failures: 1, trees: 300 } }, "not shown"],
    [
      "REINFORCE with GRAE",
      {},
      `holds if gamma = 1, regime = ${separate}; or gamma = 1, regime = ${tails} (2 of 3 settings)`,
    ],
    [
      "REINFORCE with GRAE",
      {
        counts: countsWith(
          ["GRAE, no std", "REINFORCE", "separate", 1],
          ["GRAE, no std", "REINFORCE", "heavy", 1],
        ),
      },
      "refuted",
    ],
    ["A noisy tool", {}, "holds if G = 2 or 8 or 32 of {2, 8, 32, 128}"],
    ["A noisy tool", { noisyEnd: ends(0.1, 0.1, 0.1, 0.1, 0.4) }, "holds"],
    ["A noisy tool", { noisyEnd: ends(0.4, 0.4, 0.4, 0.4, 0.4) }, "no effect that matters"],
    ["Sampled training", {}, "holds if groups = 32 or 128 of {8, 32, 128}"],
    ["Sampled training", { strays: strays(0, 0, 0) }, "holds"],
    ["Sampled training", { strays: strays(19, 20, 20) }, "refuted"],
    ["Sampled training", { strays: strays(9, 11, 9) }, "not shown"],
    ["Exact training", {}, "holds if G = 4 of {2, 4}"],
    ["Exact training", { dice: dice(0.01, 0.01) }, "holds"],
    ["Exact training", { dice: dice(0.3, 0.3) }, "refuted"],
  ]);
});
