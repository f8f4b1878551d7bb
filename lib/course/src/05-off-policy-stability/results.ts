import type { StoredRun } from "../shared/echoTrap/stored";
import type { EstimatorError } from "./estimatorError";
import type { ReuseStep } from "./reuse";

/** Points of the mismatch sweep, each by the change of the trap that makes it. */
export const mismatches = Object.freeze({
  ".1": "logProbNoise=0.1",
  ".2": "logProbNoise=0.2",
  ".3": "logProbNoise=0.3",
  ".5": "",
});
/** Points of the sweep over learning rates, each by the change of the trap that makes it. */
export const learningRates = Object.freeze({
  "Adam .03": "adam=0.03",
  "Adam .1": "adam=0.1",
  "Adam .3": "adam=0.3",
  "SGD 2": "",
  "SGD 8": "sgd=8",
  "SGD 32": "sgd=32",
});
/** A point of the sweep over learning rates. */
export type Rate = keyof typeof learningRates;

/** Measurements for the claims about importance ratios. */
export interface OffPolicyResults {
  /** Share of ratios outside 1 +- .2 at 40 tokens, in closed form. */
  readonly outside40: { readonly product: number; readonly geometric: number };
  /** A batch that is used again and again, before each step and after the last: from the seed that is drawn, and others. */
  readonly reuses: readonly (readonly Pick<ReuseStep, "step" | "spread" | "gradNorm" | "clipBiasNorm">[])[];
  /** Every estimator against the exact gradient. */
  readonly judged: readonly Pick<
    EstimatorError,
    "name" | "batches" | "bias" | "noise" | "deviation" | "error"
  >[];
  /** Mean reward of every run of LOOP's rule, by "optimizer, grain" such as "sgd, token". */
  readonly grains: ReadonlyMap<string, readonly number[]>;
  /** The stored runs of the echo trap's grid. */
  readonly runs: readonly StoredRun[];
}
