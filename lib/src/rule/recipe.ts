import type { RecipeName } from "./recipes";

/** Which trajectories a baseline pools: one task, or one task and one agent (Dr.MAS). */
export type GroupKey = "task" | "taskAgent";

/**
 * Where the advantage comes from.
 *
 * `return` has no baseline; `mean` and `leaveOneOut` pool a group of the same task; `perTurn` pools the turns of the
 * same index within a task; `gae` and `biLevelGae` use a critic; `gigpo` adds anchor-state groups; `hierarchical` is HiPER's.
 */
export type AdvantageChoice =
  | { readonly kind: "return" }
  | { readonly kind: "mean"; readonly groupBy: GroupKey; readonly allowSingleton: boolean }
  | { readonly kind: "leaveOneOut" }
  | {
      readonly kind: "perTurn";
      /** What a turn is credited with: its own reward, or the sum of rewards from it on. */
      readonly credit: "reward" | "rewardToGo";
      /** Groups with fewer turns of this index get advantage 0. */
      readonly minGroup: number;
    }
  | {
      readonly kind: "gae";
      readonly level: "token" | "turn";
      readonly gamma: number;
      readonly lambda: number;
      readonly valueCoef: number;
      /** What the critic is regressed to: the sampled return, or GAE's own A_t + V_t, which leans on the critic. */
      readonly valueTarget: "monteCarlo" | "lambdaReturn";
    }
  | {
      readonly kind: "biLevelGae";
      readonly gamma: number;
      readonly lambda: number;
      readonly gammaTurn: number;
      readonly lambdaTurn: number;
      readonly valueCoef: number;
    }
  | {
      readonly kind: "gigpo";
      /** w: weight of the anchor-state advantage. */
      readonly weight: number;
      readonly gamma: number;
      readonly allowSingleton: boolean;
    }
  | {
      readonly kind: "hierarchical";
      readonly gamma: number;
      readonly lambdaTurn: number;
      readonly lambdaSegment: number;
      readonly valueCoef: number;
    };

/** What the advantage is divided by. `batch` also subtracts the batch mean; `clamp` bounds the result to +-clamp. */
export type ScaleChoice =
  | { readonly kind: "none" }
  | { readonly kind: "group"; readonly unbiased: boolean; readonly epsilon: number }
  | {
      readonly kind: "batch";
      readonly unbiased: boolean;
      readonly epsilon: number;
      readonly clamp: number | null;
    };

/** `none` belongs to the gate `none` (score function): no ratio is formed. */
export type RatioChoice =
  | { readonly level: "none" }
  | { readonly level: "token" }
  | { readonly level: "turn"; readonly pooling: Pooling }
  | { readonly level: "trajectory"; readonly pooling: Pooling };

export type RatioLevel = "token" | "turn" | "trajectory";
export type Pooling = "product" | "geometric" | "arithmetic";

/** `none` is REINFORCE's log-prob; `unclipped` is ratio x advantage. */
export type GateChoice =
  | { readonly kind: "none" }
  | { readonly kind: "unclipped" }
  | { readonly kind: "clip"; readonly clipLow: number; readonly clipHigh: number }
  | {
      readonly kind: "dualClip";
      readonly clipLow: number;
      readonly clipHigh: number;
      readonly dualClip: number;
    }
  | { readonly kind: "sapo"; readonly tauPositive: number; readonly tauNegative: number };

/**
 * The loss denominator. `per: "batch"` counts over the whole batch, `per: "turn"` counts each turn index by itself.
 * Neither depends on the update order, so that two orders can be compared with the same denominator.
 */
export type AggregateChoice =
  | { readonly kind: "tokenMean"; readonly per: "batch" | "turn" }
  | { readonly kind: "sequenceMeanTokenMean"; readonly per: "batch" | "turn" }
  | { readonly kind: "turnMean"; readonly over: "trajectory" | "batch" }
  | { readonly kind: "constant"; readonly length: number | "maximum" };

/** `exact` multiplies the ratio as measured; `clipped` cuts each turn's ratio and the running product to [low, high]. */
export type CarryChoice =
  | { readonly kind: "off" }
  | { readonly kind: "exact"; readonly pooling: "product" | "geometric" }
  | {
      readonly kind: "clipped";
      readonly pooling: "product" | "geometric";
      readonly low: number;
      readonly high: number;
    };

/** `oldLogProb: "recomputed"` measures the old log-probs again right before each turn set's first step. */
export type OrderChoice =
  | { readonly kind: "simultaneous"; readonly oldLogProb: "rollout" | "recomputed" }
  | {
      readonly kind: "reverse" | "forward" | "random";
      readonly oldLogProb: "rollout" | "recomputed";
      readonly carry: CarryChoice;
    };

/** `zeroVariance` drops groups of equal returns (dynamic sampling); `topStd` keeps the groups of largest reward std. */
export type FilterChoice =
  | { readonly kind: "none" }
  | { readonly kind: "zeroVariance"; readonly maxGenerations: number }
  | { readonly kind: "topStd"; readonly fraction: number };

export type KlEstimator = "k1" | "k2" | "k3";

/** null switches a penalty off. */
export interface RegulariserChoice {
  readonly klReference: { readonly coef: number; readonly estimator: KlEstimator } | null;
  readonly klOld: { readonly coef: number; readonly estimator: KlEstimator } | null;
  readonly entropyCoef: number;
  readonly clippingTriggered:
    | { readonly kind: "off" }
    | { readonly kind: "gradNorm"; readonly floor: number }
    | { readonly kind: "klPenalty"; readonly lambda: number; readonly estimator: KlEstimator };
}

/** Changes of the reward before any advantage; null switches one off. */
export interface RewardChoice {
  readonly overlong: { readonly maxLength: number; readonly buffer: number } | null;
  /** KL of the sampling policy to the reference, taken off the reward of every sampled token. */
  readonly kl: { readonly coef: number; readonly estimator: KlEstimator } | null;
}

export type OptimiserChoice =
  | { readonly kind: "sgd"; readonly learningRate: number; readonly gradClip: number | null }
  | {
      readonly kind: "adam";
      readonly learningRate: number;
      readonly beta1: number;
      readonly beta2: number;
      readonly epsilon: number;
      readonly gradClip: number | null;
    };

/** How often a batch is reused: epochs x minibatches optimiser steps for each turn set. */
export interface UpdateChoice {
  readonly epochs: number;
  readonly minibatches: number;
  readonly optimiser: OptimiserChoice;
}

/** An update rule: plain, frozen data. Change one cell and the rule changes with it. */
export interface Recipe {
  readonly name: RecipeName;
  readonly reward: RewardChoice;
  readonly filter: FilterChoice;
  readonly advantage: AdvantageChoice;
  readonly scale: ScaleChoice;
  readonly ratio: RatioChoice;
  readonly gate: GateChoice;
  readonly aggregate: AggregateChoice;
  readonly order: OrderChoice;
  readonly regulariser: RegulariserChoice;
  readonly update: UpdateChoice;
}

type ChoiceName<X> = X extends { readonly kind: infer K }
  ? K
  : X extends { readonly level: infer K }
    ? K
    : never;

/**
 * Any subset of a row's cells; naming another choice starts from that choice's own defaults. A cell may be given by its
 * choice alone: `{ scale: "none" }` is `{ scale: { kind: "none" } }`.
 */
export type DeepPartial<X> = X extends object
  ? { readonly [K in keyof X]?: DeepPartial<X[K]> } | ChoiceName<X>
  : X;

/** What `recipe(name, overrides)` may change of a row: any part of it. */
export type RecipeOverrides = {
  readonly [K in Exclude<keyof Recipe, "name">]?: DeepPartial<Recipe[K]>;
} & {
  /** SeeUPO only: `theory` (paper, Eq. 3-9) or `authors` (released code). */
  readonly variant?: "theory" | "authors";
};
