import { recipe, type Recipe, type RecipeOverrides } from "turnwise/internal/rule/index";

const laidOver = (cells: RecipeOverrides): Recipe => recipe("grpo", { aggregate: "tokenMean", ...cells });

/**
 * Corrections over one rule, GRPO averaged over tokens. The first two have no weights: old log-probs are the rollout engine's
 * (bypass), or the trainer's own (decoupled). The bounds of the rejection are wider than verl's, which are for long sequences.
 */
export const mismatchArms = {
  bypass: laidOver({}),
  decoupled: laidOver({ order: { oldLogProb: "recomputed" } }),
  TIS: laidOver({ correction: { kind: "truncate", level: "token", high: 2 } }),
  IcePop: laidOver({ correction: { kind: "mask", level: "token", low: 0.5, high: 5 } }),
  MIS: laidOver({ correction: { kind: "mask", level: "trajectory", low: 0, high: 3 } }),
  "Geo-RS": laidOver({ correction: { kind: "reject", level: "trajectory", low: 0.8, high: 1.25 } }),
} satisfies Record<string, Recipe>;

/** A name of `mismatchArms`. */
export type MismatchArm = keyof typeof mismatchArms;

/** A way in which the engine that samples differs from the trainer. */
export interface Engine {
  /** Noise of the log-probs that it reports; its samples have none. */
  readonly logProbNoise?: number;
  /** It samples by a policy so many updates old. */
  readonly staleness?: number;
  /** It draws from a nucleus alone. */
  readonly topP?: number;
  /** It samples more freely than the policy. */
  readonly temperature?: number;
}

const noise = { logProbNoise: 0.5 };
const stale = { staleness: 20 };
const topP = { topP: 0.8 };

/** The rollout engines of the study: noise, staleness and top-p, each alone and all at once, and one that is hot. */
export const engines = {
  agrees: {},
  noise,
  stale,
  "top-p": topP,
  "all three": { ...noise, ...stale, ...topP },
  hot: { temperature: 1.6 },
} satisfies Record<string, Engine>;

/** A name of `engines`. */
export type EngineName = keyof typeof engines;
