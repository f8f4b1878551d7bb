import assert from "node:assert/strict";
import { updateOrderClaims } from "turnwise-course/update-order-ablation";
import type { UpdateOrderResults } from "turnwise-course/internal/03-update-order-ablation/claims";
import { testVerdicts } from "../support";

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
  runs: [],
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
    [
      "Reverse order is enough",
      {},
      "holds if game = order game of {order game, shared parameter, note game}",
    ],
    ["Reverse order is enough", { notes: notes(1), sharedRows: shared(0.5) }, "holds"],
    ["Reverse order is enough", { greedyEnd: { ...results.greedyEnd, reverse: 0.6 } }, "refuted"],
    ["Stored runs", {}, "holds"],
    ["Stored runs", { again: { equal: 3, of: 4 } }, "refuted"],
  ]);

  it("of the study are not decided before all of its worlds are measured", () =>
    assert.equal(updateOrderClaims(results).length, 5));
});
