import { decreaseRate, type DecreaseRate, type EnsembleOptions } from "./ensemble";
import { clipStep, exactRule, gradientStep, type ExactRule } from "./exactRule";

/** A setting in which a rule is tested. */
export interface Regime {
  readonly name: string;
  readonly groupSize: number;
  readonly tree: Omit<EnsembleOptions, "trees" | "seed" | "onProgress">;
}

/**
 * Three settings: the one of the proof (one row per history, returns of 0 or 1), one row that all turns share, and
 * heavy-tailed rewards in small groups.
 */
export const regimes: readonly Regime[] = Object.freeze([
  {
    name: "separate rows, 0/1 returns, G = 4",
    groupSize: 4,
    tree: { turns: 2, actions: 3, contexts: 3, reward: "bernoulli" },
  },
  {
    name: "one shared row, G = infinity",
    groupSize: Infinity,
    tree: { turns: 3, actions: 2, contexts: 3, reward: "binary", shared: true },
  },
  {
    name: "heavy tails, G = 4",
    groupSize: 4,
    tree: { turns: 2, actions: 3, contexts: 1, reward: "heavyTailed" },
  },
]);

const advantages: readonly (readonly [name: string, cells: Partial<ExactRule>])[] = [
  ["GAE, exact critic", { baseline: "critic" }],
  ["GRAE, no std", { baseline: "mean" }],
  ["GRAE, batch std", { baseline: "mean", scale: "batch" }],
  ["GRAE, group std", { baseline: "mean", scale: "group" }],
];

const updates = [
  ["REINFORCE", gradientStep(0.1)],
  ["PPU", clipStep(0.2)],
] as const;

/** One cell of the grid: how often a pair of advantage and update lowered J in a regime. */
export interface GridCell extends DecreaseRate {
  readonly advantage: string;
  readonly update: string;
  readonly regime: string;
}

/**
 * Counts how often one exact iteration lowers the return, for every advantage (GAE; GRAE with no, batch or group std)
 * and update (one small REINFORCE step; PPU as the exact clipped argmax, clip .2), in each regime.
 *
 * All cells see the same random trees and policies.
 */
export function monotonicityGrid(o: {
  trees: number;
  seed?: number;
  regimes?: readonly Regime[];
  onProgress?: (done: number, total: number) => void;
}): GridCell[] {
  const places = o.regimes ?? regimes;
  const total = places.length * advantages.length * updates.length;
  const cells: GridCell[] = [];
  for (const { name, groupSize, tree } of places) {
    for (const [advantage, choice] of advantages) {
      for (const [update, step] of updates) {
        const rule = exactRule({ ...choice, step, groupSize });
        const rate = decreaseRate(rule, { ...tree, trees: o.trees, seed: o.seed ?? 0 });
        cells.push({ ...rate, advantage, update, regime: name });
        o.onProgress?.(cells.length, total);
      }
    }
  }
  return cells;
}
