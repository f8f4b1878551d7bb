import { impossibilityClaims, type ImpossibilityResults } from "turnwise/study";
import { testVerdicts } from "../support";

type Counts = ImpossibilityResults["counts"];

const regimes = ["separate rows, 0/1 returns, G = 4", "one shared row, G = infinity", "heavy tails, G = 4"];

/** Ten trees in every cell, none of which falls but those that are named: [advantage, update, regime, falls]. */
const countsWith = (...fallen: readonly (readonly [string, string, string, number])[]): Counts =>
  ["GAE, exact critic", "GRAE, no std", "GRAE, group std"].flatMap((advantage) =>
    ["PPU", "REINFORCE"].flatMap((update) =>
      regimes.map((regime) => {
        const own = fallen.find(([a, u, r]) => advantage === a && update === u && regime.startsWith(r));
        return { advantage, update, regime, trees: 10, decreases: own?.[3] ?? 0 };
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
  values.map((J, i) => ({ rule: `rule ${i}`, "J at the end": J }));
const strays = (...counts: number[]): ImpossibilityResults["strays"] =>
  counts.map((count, i) => ({ groups: 8 * 4 ** i, "end at looking up": count }));

const base: ImpossibilityResults = {
  counts: countsWith(heavy, shared),
  push: () => -0.5,
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
  strays: strays(5, 1, 0),
  greedy: { failures: 0, trees: 10 },
  clipped: { decreases: 0, trees: 10 },
  discounted: { now: 1, wait: 0.75, waits: true },
};

describe("the claims of the impossibility result", () => {
  testVerdicts(impossibilityClaims, base, [
    [
      "GRPO (GRAE",
      {},
      "holds only if the group is finite, returns take three or more values or tasks look alike, and the std is divided out",
    ],
    ["GRPO (GRAE", { counts: countsWith(shared) }, "not reproduced"],
    ["GRPO (GRAE", { counts: countsWith(heavy, ["GRAE, group std", "REINFORCE", "separate", 1]) }, "holds"],
    [
      "Dividing by sigma",
      {},
      "not reproduced: the drift is fine, the expected advantage is not a multiple of the true one",
    ],
    ["Dividing by sigma", { drifts: [{ rule: "group std, G = 2", ...fine, flatAtOld: false }] }, "holds"],
    ["The mean-only", {}, "not reproduced: proof in section 6"],
    ["The mean-only", { counts: countsWith(["GRAE, no std", "PPU", "heavy", 1]) }, "holds"],
    ["A critic keeps", {}, "holds only if every history has its own parameters"],
    ["A critic keeps", { counts: countsWith(heavy) }, "holds"],
    [
      "A critic keeps",
      { counts: countsWith(shared, ["GAE, exact critic", "PPU", "heavy", 1]) },
      "not reproduced",
    ],
    ["A larger group", {}, "holds only if the policy can tell the tasks apart"],
    ["A larger group", { contexts: { ...base.contexts, "group std, G = infinity": [0.2, 0.4] } }, "holds"],
    ["GSPO's", {}, "holds only if all answers are equally long"],
    ["GSPO's", { ratios: { before: 0.46, geometric: 0.46, product: 0.5 } }, "holds"],
    [
      "No algorithm",
      {},
      "not reproduced: SeeUPO itself is the counterexample; the paper says mainstream backbones",
    ],
    [
      "No algorithm",
      { greedy: { failures: 1, trees: 10 } },
      "not reproduced: undecided, SeeUPO missed optima too",
    ],
    [
      "REINFORCE with GRAE",
      {},
      "holds only if returns are undiscounted and nothing is divided by the group's std (monotone here; convergence itself is the paper's proof)",
    ],
    [
      "REINFORCE with GRAE",
      { counts: countsWith(["GRAE, no std", "REINFORCE", "separate", 1]) },
      "not reproduced",
    ],
    ["A noisy tool", {}, "holds"],
    ["A noisy tool", { noisyEnd: ends(0.1, 0.1, 0.21, 0.4, 0.4) }, "not reproduced"],
    ["A noisy tool", { noisyEnd: ends(0.1, 0.1, 0.1, 0.3, 0.4) }, "not reproduced"],
    ["Sampled training", {}, "holds only if batches are large: noise carries some over the border"],
    ["Sampled training", { strays: strays(0, 0, 0) }, "holds"],
    ["Sampled training", { strays: strays(5, 2, 1) }, "not reproduced"],
    [
      "Exact training",
      {},
      "holds only if groups are large enough to see more than who won: with pairs it circles",
    ],
    ["Exact training", { dice: dice(0.01, 0.3) }, "holds"],
    ["Exact training", { dice: dice(0.3, 0.3) }, "not reproduced"],
  ]);
});
