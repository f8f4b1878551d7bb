import type { OptimizerChoice } from "turnwise/internal/rule/index";

/** A training setting on ToolChain-v0: everything but the lever. */
export interface Trap {
  readonly title: string;
  /** Competence of the starting policy. */
  readonly beta: number;
  readonly turnCost: number;
  readonly rewardNoise: number;
  readonly logProbNoise: number;
  readonly groups: number;
  readonly groupSize: number;
  readonly updates: number;
  readonly epochs: number;
  readonly minibatches: number;
  readonly optimizer: Pick<OptimizerChoice, "kind" | "learningRate">;
}

const common = { turnCost: 0, rewardNoise: 0, logProbNoise: 0, groups: 8, groupSize: 8 } as const;
const sgd = (learningRate: number): Trap["optimizer"] => ({ kind: "sgd", learningRate });

/**
 * The settings in which echo traps were measured, and a sane one in which nothing collapses.
 */
export const traps = Object.freeze({
  sane: {
    ...common,
    title: "SGD, 16 steps per batch",
    beta: 2,
    updates: 300,
    epochs: 4,
    minibatches: 4,
    optimizer: sgd(2),
  },
  reuse: {
    ...common,
    title: "A: heavy reuse under Adam",
    beta: 4,
    updates: 500,
    epochs: 6,
    minibatches: 4,
    optimizer: { kind: "adam", learningRate: 0.3 },
  },
  cost: {
    ...common,
    title: "B: a turn cost of 1 % under group std",
    beta: 2,
    turnCost: 0.01,
    updates: 300,
    epochs: 2,
    minibatches: 2,
    optimizer: sgd(2),
  },
  mismatch: {
    ...common,
    title: "C: rollout and trainer disagree about log-probs",
    beta: 2,
    logProbNoise: 0.5,
    updates: 250,
    epochs: 4,
    minibatches: 4,
    optimizer: sgd(2),
  },
  noisyReward: {
    ...common,
    title: "noisy reward",
    beta: 1.5,
    rewardNoise: 0.1,
    groups: 32,
    updates: 300,
    epochs: 2,
    minibatches: 2,
    optimizer: sgd(2),
  },
} as const satisfies Record<string, Trap>);

/** The name of a trap. */
export type TrapName = keyof typeof traps;
/** The names of all traps. */
export const trapNames = Object.freeze(Object.keys(traps)) as readonly TrapName[];
