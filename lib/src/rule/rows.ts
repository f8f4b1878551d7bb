import type { Given } from "../schema";
import type { recipeSchema } from "./schema";

/** What `recipe(name, overrides)` may change of a row: any part of it. What is left out keeps its value, and another choice starts from its own defaults. */
export type RecipeOverrides = Given<typeof recipeSchema> & {
  /** SeeUPO only: `theory` (paper, Eq. 3-9) or `authors` (released code). */
  readonly variant?: "theory" | "authors";
};

const tokenClip = { ratio: "token", gate: "clip" } as const;
const turnClip = { ratio: { level: "turn", pooling: "geometric" }, gate: "clip" } as const;
const sumOfLogProbs = {
  ratio: "none",
  gate: "none",
  aggregate: { kind: "constant", length: 1 },
} as const;
const groupMeanAndStd = { advantage: "mean", scale: "group" } as const;
const tokenCritic = { advantage: { kind: "gae", level: "token" }, scale: "batch" } as const;
const turnCritic = { advantage: { kind: "gae", level: "turn" }, scale: "batch" } as const;
const dividedByClipBias = { clippingTriggered: { kind: "gradNorm", floor: 1 } } as const;
const reuse = { epochs: 2, minibatches: 2 } as const;
const oneStep = { epochs: 1, minibatches: 1, optimiser: { learningRate: 0.1 } } as const;

/**
 * The rows as differences from the plainest rule: raw return, no ratio, mean over tokens, one step, no regulariser.
 * Epochs, minibatches and optimisers are this library's own settings for small policies; all other cells follow the
 * source named in `citations.ts`, which also lists where we depart from it.
 */
export const rows = {
  reinforce: { ...sumOfLogProbs, update: oneStep },
  reinforcePlusPlus: { ...tokenClip, scale: "batch", aggregate: "tokenMean", update: reuse },
  rloo: { ...sumOfLogProbs, advantage: "leaveOneOut", update: oneStep },
  loop: { ...tokenClip, advantage: "leaveOneOut", aggregate: "tokenMean", update: reuse },
  ppo: { ...tokenCritic, ...tokenClip, aggregate: "tokenMean", update: reuse },
  grpo: { ...groupMeanAndStd, ...tokenClip, aggregate: "sequenceMeanTokenMean", update: reuse },
  drGrpo: {
    ...tokenClip,
    advantage: "mean",
    aggregate: { kind: "constant", length: "maximum" },
    update: reuse,
  },
  dapo: {
    ...groupMeanAndStd,
    ratio: "token",
    gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.28 },
    aggregate: "tokenMean",
    filter: "zeroVariance",
    reward: { overlong: { maxLength: 20480, buffer: 4096 } },
    update: reuse,
  },
  gspo: {
    ...groupMeanAndStd,
    ratio: { level: "trajectory", pooling: "geometric" },
    gate: { kind: "clip", clipLow: 3e-4, clipHigh: 4e-4 },
    aggregate: "sequenceMeanTokenMean",
    update: { epochs: 1, minibatches: 4 },
  },
  sapo: {
    ...groupMeanAndStd,
    ratio: "token",
    gate: { kind: "sapo", tauPositive: 1, tauNegative: 1.05 },
    aggregate: "sequenceMeanTokenMean",
    update: reuse,
  },
  mGrpo: {
    ...groupMeanAndStd,
    ...tokenClip,
    aggregate: { kind: "turnMean", over: "trajectory" },
    update: reuse,
  },
  drMas: {
    ...tokenClip,
    advantage: { kind: "mean", groupBy: "taskAgent" },
    scale: "group",
    aggregate: "sequenceMeanTokenMean",
    update: reuse,
  },
  gigpo: {
    ...tokenClip,
    advantage: { kind: "gigpo", weight: 1, gamma: 0.95 },
    aggregate: "tokenMean",
    regulariser: { klReference: { coef: 0.01, estimator: "k3" } },
    update: reuse,
  },
  hiper: { ...tokenClip, advantage: "hierarchical", aggregate: "tokenMean", update: reuse },
  starPo: {
    ...tokenCritic,
    ...tokenClip,
    aggregate: "tokenMean",
    regulariser: { klReference: { coef: 0.001, estimator: "k1" }, entropyCoef: 0.001 },
    update: reuse,
  },
  starPoS: {
    ...tokenCritic,
    ratio: "token",
    gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.28 },
    aggregate: "tokenMean",
    filter: { kind: "topStd", fraction: 0.25 },
    regulariser: { entropyCoef: 0.001 },
    update: reuse,
  },
  stepPo: { ...turnCritic, ...turnClip, aggregate: { kind: "turnMean", over: "batch" }, update: reuse },
  turnPpo: { ...turnCritic, ...turnClip, aggregate: "sequenceMeanTokenMean", update: reuse },
  sPpo: {
    ...tokenCritic,
    ...tokenClip,
    aggregate: "sequenceMeanTokenMean",
    regulariser: dividedByClipBias,
    update: reuse,
  },
  stPpo: {
    ...turnCritic,
    ...turnClip,
    aggregate: "sequenceMeanTokenMean",
    regulariser: dividedByClipBias,
    update: reuse,
  },
  soPpo: {
    ...turnCritic,
    ...turnClip,
    aggregate: "sequenceMeanTokenMean",
    regulariser: dividedByClipBias,
    update: reuse,
  },
  soGrpo: {
    ...groupMeanAndStd,
    ...turnClip,
    aggregate: "sequenceMeanTokenMean",
    regulariser: dividedByClipBias,
    update: reuse,
  },
  happo: {
    ...turnCritic,
    ratio: { level: "turn", pooling: "product" },
    gate: "clip",
    aggregate: { kind: "constant", length: 1 },
    order: { kind: "random", oldLogProb: "rollout", carry: { kind: "exact", pooling: "product" } },
    update: reuse,
  },
  seeUpo: {
    advantage: "mean",
    ratio: { level: "turn", pooling: "product" },
    gate: "clip",
    aggregate: { kind: "constant", length: 1 },
    order: { kind: "reverse", oldLogProb: "rollout", carry: { kind: "exact", pooling: "product" } },
    update: reuse,
  },
  seeUpoAuthors: {
    advantage: { kind: "mean", allowSingleton: true },
    scale: { kind: "batch", clamp: 3 },
    ratio: { level: "turn", pooling: "geometric" },
    gate: "clip",
    aggregate: { kind: "sequenceMeanTokenMean", per: "turn" },
    order: {
      kind: "reverse",
      oldLogProb: "recomputed",
      carry: { kind: "clipped", pooling: "geometric", low: 0.8, high: 1.2 },
    },
    regulariser: { klReference: { coef: 0.002, estimator: "k3" } },
    update: oneStep,
  },
} as const satisfies Record<string, RecipeOverrides>;

/** The name of a row of the table. */
export type RecipeName = keyof typeof rows;
