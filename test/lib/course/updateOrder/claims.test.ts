import assert from "node:assert/strict";
import { updateOrderClaims, type OrderRun } from "turnwise-course/update-order-ablation";
import type { UpdateOrderResults } from "turnwise-course/internal/03-update-order-ablation/claims";
import type { OrderArm } from "turnwise-course/internal/03-update-order-ablation/orderAblation";
import { testVerdicts } from "../support";

/** Five runs of an arm that end alike, so that every interval is a point. */
const ends = (part: string, arm: OrderArm, success: number, of: Partial<OrderRun> = {}): OrderRun[] =>
  [0, 1, 2, 3, 4].map((seed) => ({
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
    ...ends("scale", equal, scale === "batch" ? 0.6 : 0.4, { scale }),
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

const alike = (value: number): number[] => Array<number>(5).fill(value);
const arm = (label: string, mean: number): UpdateOrderResults["sampled"][number] => ({
  ...{ label, scale: "none", mean, low: mean - 0.05, high: mean + 0.05, runs: alike(mean) },
});
const sampled = (forward: number): UpdateOrderResults["sampled"] => [
  arm("reverse, exact carry", 0.9),
  arm("reverse, clipped carry", 0.6),
  arm("random, exact carry", 0.6),
  arm("forward, exact carry", forward),
  arm("simultaneous", 0.5),
  // Another scale is another row of the figure.
  ...(["reverse, exact carry", "forward, exact carry", "simultaneous"] as const).map((label) => ({
    ...arm(label, 1),
    scale: "batch",
  })),
];
const starts = (gap: number): UpdateOrderResults["fromStart"] =>
  (
    [
      [0.4, "reverse, exact carry", 0.9],
      [0.4, "simultaneous", 0.5],
      [0.7, "reverse, exact carry", 0.9 + gap],
      [0.7, "simultaneous", 0.9],
    ] as const
  ).map(([start, label, mean]) => ({ start, label, mean, runs: alike(mean) }));
/** Half of 40 trees stay unsolved by greedy steps in other orders, none by gradient steps. */
const failures = (reverse: number, soft = 0): UpdateOrderResults["failures"] =>
  ["reverse", "forward", "random", "simultaneous"].flatMap((column) => [
    { row: "greedy, T = 3", column, value: column === "reverse" ? reverse : 0.5 },
    { row: "gradient, eta 5, T = 3", column, value: column === "reverse" ? 0 : soft },
  ]);
const toOptimum = (others: number): UpdateOrderResults["toOptimum"] =>
  ["reverse", "forward", "simultaneous"].map((column) => {
    const value = column === "reverse" ? 20 : others;
    return { row: "gradient, eta 5", column, value, label: String(value) };
  });
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
  trees: 40,
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
  testVerdicts(updateOrderClaims, results, [
    ["Reverse order reaches", {}, "holds if step = greedy of {greedy, gradient}"],
    // Every order stops short, so reverse order does not reach the optimum.
    [
      "Reverse order reaches",
      { greedyEnd: { reverse: 0.6, forward: 0.6, simultaneous: 0.6 }, failures: failures(0.9) },
      "not shown",
    ],
    [
      "Reverse order reaches",
      { greedyEnd: { ...results.greedyEnd, forward: 1 } },
      "holds if step = greedy, world = trees, T = 3 (1 of 4 settings)",
    ],
    ["Reverse order reaches", { failures: failures(0, 0.5), toOptimum: toOptimum(60) }, "holds"],
    ["Other orders", {}, "holds if step = greedy of {greedy, gradient}"],
    ["Other orders", { toOptimum: toOptimum(60) }, "holds"],
    ["Other orders", { greedyEnd: { ...results.greedyEnd, forward: 1 } }, "no effect that matters"],
    ["The carry", {}, "holds"],
    ["The carry", { unsolved: unsolved(0, 0) }, "holds if world = Ladder of {Ladder; trees, T = 3}"],
    [
      "The carry",
      { ladder: ladder(climb(0.1, 0.95)) },
      "holds if world = trees, T = 3 of {Ladder; trees, T = 3}",
    ],
    ["Reverse beats forward and simultaneous with samples", {}, "holds if scale = none of {none, batch}"],
    [
      "Reverse beats forward and simultaneous with samples",
      { sampled: sampled(0.9) },
      "holds if scale = none, against = simultaneous (1 of 4 settings)",
    ],
    ["Reverse beats forward and simultaneous with one", {}, "holds"],
    [
      "Reverse beats forward and simultaneous with one",
      withEnd("order", equal, 0.9),
      "holds if against = forward or simultaneous, 4 steps of {forward; simultaneous, equal steps; simultaneous, 4 steps}",
    ],
    ["Part of a gain", {}, "holds"],
    ["Part of a gain", withEnd("order", equal, 0.42), "no effect that matters"],
    ["Part of a gain", withEnd("order", equal, 0.3), "refuted"],
    [
      "Reverse order is enough",
      {},
      "holds if game = order game of {order game, shared parameter, note game}",
    ],
    ["Reverse order is enough", { notes: notes(1), sharedRows: shared(0.5) }, "holds"],
    ["Reverse order is enough", { greedyEnd: { ...results.greedyEnd, reverse: 0.6 } }, "refuted"],
    ["Reverse order helps where memory", {}, "holds"],
    ["Reverse order helps where memory", withEnd("keyDoor", equal, 0.6), "no effect that matters"],
    ["Reverse order helps where memory", withEnd("keyDoor", equal, 0.7), "refuted"],
    [
      "The order matters",
      {},
      "holds if world = ToolChain, beta = 1.5; or world = ToolChain, beta = 2; or world = Ladder, pi(right) = .4 (3 of 5 settings)",
    ],
    [
      "The order matters",
      { fromStart: starts(0.06), ...withEnd("beta", "reverse", 1, { beta: 3 }) },
      "holds",
    ],
    ["Dividing by", {}, "holds"],
    [
      "Dividing by",
      withEnd("scale", "reverse", 0.9, { scale: "group" }),
      "holds if scale = batch, order = reverse; or scale = group, order = simultaneous, equal steps; or scale = batch, order = simultaneous, equal steps (3 of 4 settings)",
    ],
    [
      "Dividing by",
      {
        runs: [...(withEnd("scale", "reverse", 0.8, { scale: "batch" }).runs ?? [])].map((run) =>
          run.part === "scale" && run.scale === "batch" && run.arm === equal ? { ...run, success: 0.5 } : run,
        ),
      },
      "holds if scale = group of {group, batch}",
    ],
    ["Reverse order helps to learn", {}, "holds"],
    ["Reverse order helps to learn", withEnd("apiChain", equal, 0.6), "no effect that matters"],
    ["Reverse order helps to learn", withEnd("apiChain", equal, 0.7), "refuted"],
    ["Stored runs", {}, "holds"],
    ["Stored runs", { again: { equal: 3, of: 4 } }, "refuted"],
  ]);

  it("have no verdict on fewer than five seeds", () => {
    const few = updateOrderClaims({ ...results, runs: base.filter(({ seed }) => seed < 4) });
    const kinds = few.filter(({ measured }) => measured.includes("ToolChain, 4 seeds"));
    assert.deepEqual(
      kinds.map(({ verdict }) => String(verdict)),
      ["too few seeds"],
    );
  });
});
