import {
  exactOrderClaims,
  type ExactOrderResults,
} from "turnwise-course/internal/03-update-order-ablation/exactClaims";
import { testVerdicts } from "../support";

/** Half of 40 trees stay unsolved by greedy steps in other orders, none by gradient steps. */
const failures = (reverse: number, soft = 0): ExactOrderResults["failures"] =>
  ["reverse", "forward", "random", "simultaneous"].flatMap((column) => [
    { row: "greedy, T = 3", column, value: column === "reverse" ? reverse : 0.5 },
    { row: "gradient, eta 5, T = 3", column, value: column === "reverse" ? 0 : soft },
  ]);
const toOptimum = (others: number): ExactOrderResults["toOptimum"] =>
  ["reverse", "forward", "simultaneous"].map((column) => {
    const value = column === "reverse" ? 20 : others;
    return { row: "gradient, eta 5", column, value, label: String(value) };
  });
const climb = (...J: number[]): { J: number[] } => ({ J });
const shared = (after: number): ExactOrderResults["sharedRows"] => [
  { before: 0.48, "after turn 2": 0, "after turn 1": after, "separate parameters": 1 },
  { before: 0.48, "after turn 2": 0.3, "after turn 1": 0.32, "separate parameters": 0.56 },
];
const notes = (reverse: number): ExactOrderResults["notes"] => [
  { order: "reverse", greedy: reverse },
  { order: "forward", greedy: 1 },
];
const ladder = (off: { J: number[] }): ExactOrderResults["ladder"] => ({
  T: 4,
  eta: 64,
  runs: {
    "reverse, exact carry": climb(0.1, 0.95),
    "reverse, clipped carry": climb(0.1, 0.2, 0.95),
    "reverse, no carry": off,
  },
});
const unsolved = (exact: number, off: number): ExactOrderResults["unsolved"] => [
  { carry: "exact", rate: exact },
  { carry: "clipped", rate: 0.1 },
  { carry: "off", rate: off },
];

const results: ExactOrderResults = {
  greedyEnd: { reverse: 1, forward: 0.6, random: 1, simultaneous: 0.6 },
  randomWins: 0.5,
  trees: 40,
  failures: failures(0),
  toOptimum: toOptimum(20),
  ladder: ladder(climb(0.1, 0.2, 0.3, 0.96)),
  unsolved: unsolved(0, 0.3),
  sharedRows: shared(0),
  notes: notes(0.7),
};

describe("the exact claims of the update order", () => {
  testVerdicts((own: ExactOrderResults) => Object.values(exactOrderClaims(own)), results, [
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
  ]);
});
