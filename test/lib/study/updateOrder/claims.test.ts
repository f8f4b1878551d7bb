import { updateOrderClaims, type OrderArm, type OrderRun, type UpdateOrderResults } from "turnwise/study";
import { testVerdicts } from "../support";

/** Three runs of an arm that end alike, so that every interval is a point. */
const ends = (part: string, arm: OrderArm, success: number, of: Partial<OrderRun> = {}): OrderRun[] =>
  [0, 1, 2].map((seed) => ({
    ...{ part, world: "ToolChain-v0", arm, scale: "none", beta: 2, seed, success, reward: success, steps: 8 },
    ...of,
  }));
const equal = "simultaneous, equal steps";
const base: readonly OrderRun[] = [
  ...ends("order", "reverse", 0.9),
  ...ends("order", "forward", 0.5),
  ...ends("order", equal, 0.6),
  ...ends("order", "simultaneous, 4 steps", 0.4),
  ...ends("order", "reverse, no carry", 0.8),
  ...ends("beta", "reverse", 0.5, { beta: 1.5 }),
  ...ends("beta", equal, 0.4, { beta: 1.5 }),
  ...ends("beta", "reverse", 0.9, { beta: 3 }),
  ...ends("beta", equal, 0.9, { beta: 3 }),
  ...ends("keyDoor", "reverse", 0.6),
  ...ends("keyDoor", "forward", 0.3),
  ...ends("keyDoor", equal, 0.5),
  ...ends("apiChain", "reverse", 0.6),
  ...ends("apiChain", equal, 0.5),
  ...(["batch", "group"] as const).flatMap((scale) => [
    ...ends("scale", "reverse", scale === "batch" ? 0.9 : 0.4, { scale }),
    ...ends("scale", equal, 0.4, { scale }),
  ]),
];
/** The runs with another success in one cell. */
const withEnd = (
  part: string,
  arm: OrderArm,
  success: number,
  of: Partial<OrderRun> = {},
): Partial<UpdateOrderResults> => ({
  runs: base.map((run) =>
    run.part === part &&
    run.arm === arm &&
    Object.entries(of).every(([k, x]) => run[k as keyof OrderRun] === x)
      ? { ...run, success, reward: success }
      : run,
  ),
});

const arm = (label: string, mean: number): UpdateOrderResults["sampled"][number] => ({
  ...{ label, scale: "none", mean, low: mean - 0.05, high: mean + 0.05 },
});
const sampled = (forward: number): UpdateOrderResults["sampled"] => [
  arm("reverse, exact carry", 0.9),
  arm("reverse, clipped carry", 0.6),
  arm("random, exact carry", 0.6),
  arm("forward, exact carry", forward),
  arm("simultaneous", 0.5),
  // Another scale is another row of the figure.
  { ...arm("forward, exact carry", 1), scale: "batch" },
];
const starts = (gap: number): UpdateOrderResults["fromStart"] => [
  { start: 0.4, label: "reverse, exact carry", mean: 0.9 },
  { start: 0.4, label: "simultaneous", mean: 0.5 },
  { start: 0.7, label: "reverse, exact carry", mean: 0.9 + gap },
  { start: 0.7, label: "simultaneous", mean: 0.9 },
];
const failures = (reverse: number): UpdateOrderResults["failures"] =>
  ["reverse", "forward", "random", "simultaneous"].map((column) => ({
    ...{ row: "greedy, T = 3", column, value: column === "reverse" ? reverse : 0.5 },
  }));
const toOptimum = (value: number): UpdateOrderResults["toOptimum"] => [
  { row: "mirror, eta 5", column: "forward", value, label: String(value) },
];
const climb = (...J: number[]): { J: number[] } => ({ J });
const shared = (after: number): UpdateOrderResults["sharedRows"] => [
  { before: 0.48, "after turn 2": 0, "after turn 1": after, "separate parameters": 1 },
  { before: 0.48, "after turn 2": 0.3, "after turn 1": 0.32, "separate parameters": 0.56 },
];
const notes = (reverse: number): UpdateOrderResults["notes"] => [
  { order: "reverse", greedy: reverse },
  { order: "forward", greedy: 1 },
];
const ladder = (off: { J: number[] }): UpdateOrderResults["ladder"] => ({
  T: 4,
  eta: 64,
  runs: {
    "reverse, exact carry": climb(0.1, 0.95),
    "reverse, clipped carry": climb(0.1, 0.2, 0.95),
    "reverse, no carry": off,
  },
});
const unsolved = (exact: number, off: number): UpdateOrderResults["unsolved"] => [
  { carry: "exact", rate: exact },
  { carry: "clipped", rate: 0.1 },
  { carry: "off", rate: off },
];

const results: UpdateOrderResults = {
  greedyEnd: { reverse: 1, forward: 0.6, random: 1, simultaneous: 0.6 },
  randomWins: 0.5,
  failures: failures(0),
  toOptimum: toOptimum(20),
  ladder: ladder(climb(0.1, 0.2, 0.3, 0.96)),
  unsolved: unsolved(0, 0.3),
  sharedRows: shared(0),
  notes: notes(0.7),
  sampled: sampled(0.4),
  seeds: 20,
  fromStart: starts(0),
  runs: base,
  again: { equal: 4, of: 4 },
};

describe("the claims of the update order", () => {
  const contains0 = "not reproduced: the interval contains 0";
  testVerdicts(updateOrderClaims, results, [
    [
      "Reverse order reaches",
      {},
      "holds only if steps are greedy, every history has its own parameters and the policy sees all of it",
    ],
    ["Reverse order reaches", { failures: failures(0.1) }, "not reproduced"],
    ["Reverse order reaches", { greedyEnd: { ...results.greedyEnd, forward: 1 } }, "not reproduced"],
    ["Other orders", {}, "not reproduced: with full support every order gets there"],
    ["Other orders", { toOptimum: toOptimum(60) }, "holds"],
    ["The carry", {}, "holds"],
    ["The carry", { unsolved: unsolved(0, 0) }, "not reproduced"],
    ["The carry", { ladder: ladder(climb(0.1, 0.95)) }, "not reproduced"],
    [
      "Reverse beats forward and simultaneous with samples",
      {},
      "holds only if the start is weak and steps are large",
    ],
    [
      "Reverse beats forward and simultaneous with samples",
      { sampled: sampled(0.81) },
      "not reproduced: the intervals overlap",
    ],
    ["Reverse beats forward and simultaneous with one", {}, "holds only if the start is weak (beta = 2)"],
    [
      "Reverse beats forward and simultaneous with one",
      withEnd("order", equal, 0.9),
      "holds only if simultaneous updates get fewer steps: with equal steps only forward loses",
    ],
    [
      "Reverse beats forward and simultaneous with one",
      withEnd("order", "forward", 0.9),
      "not reproduced: the intervals contain 0",
    ],
    ["Part of a gain", {}, "holds"],
    ["Part of a gain", withEnd("order", equal, 0.4), contains0],
    ["Part of a gain", withEnd("order", equal, 0.3), "not reproduced: more steps were worse here"],
    ["Reverse order is enough", {}, "not reproduced: shared parameters and limited memory break it"],
    ["Reverse order is enough", { notes: notes(1) }, "holds"],
    ["Reverse order is enough", { sharedRows: shared(0.48) }, "holds"],
    ["Reverse order helps where memory", {}, "holds"],
    ["Reverse order helps where memory", withEnd("keyDoor", equal, 0.6), contains0],
    ["Reverse order helps where memory", withEnd("keyDoor", equal, 0.7), "not reproduced: reverse is worse"],
    ["The order matters", {}, "not reproduced: the gap closes with a good start"],
    ["The order matters", { fromStart: starts(0.06) }, "holds"],
    ["The order matters", withEnd("beta", "reverse", 1, { beta: 3 }), "holds"],
    ["Dividing by", {}, "holds only if turns cost something, groups are small and the start is weak"],
    [
      "Dividing by",
      withEnd("scale", "reverse", 0.9, { scale: "group" }),
      "not reproduced: the intervals do not say so",
    ],
    [
      "Dividing by",
      withEnd("scale", "reverse", 0.8, { scale: "batch" }),
      "not reproduced: the intervals do not say so",
    ],
    ["Reverse order helps to learn", {}, "holds"],
    ["Reverse order helps to learn", withEnd("apiChain", equal, 0.6), contains0],
    ["Reverse order helps to learn", withEnd("apiChain", equal, 0.7), "not reproduced: it is worse"],
    ["Stored runs", {}, "holds"],
    ["Stored runs", { again: { equal: 3, of: 4 } }, "not reproduced: another version of the library?"],
  ]);
});
