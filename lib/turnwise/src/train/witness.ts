import type { Batch } from "../batch/batch";
import type { SparseGradient } from "../policy/policy";
import type { SurrogateGradient } from "../rule/surrogate/surrogateGradient";
import type { Prepared } from "./prepared";

/** One optimizer step as its trainer sees it, before the policy moves. */
export interface ObservedStep {
  /** Which trajectories of the prepared batch it is taken on; all arrays here have rows for these alone. */
  readonly rows: readonly number[];
  readonly turns: readonly number[];
  readonly logProb_ntl: Float64Array;
  readonly oldLogProb_ntl: Float64Array;
  /** Gradient of the rule in every log-prob. */
  readonly surrogate: SurrogateGradient;
  readonly gradient: SparseGradient;
}

/**
 * Sees the inside of an update, for those that show it.
 *
 * The arrays that it is handed are used again by the next step: it copies what it keeps, and changes nothing.
 */
export interface UpdateObserver {
  /** Receives the batch that was sampled and filtered, with everything computed from it before the first step. */
  prepared(data: Prepared): void;
  stepped(step: ObservedStep): void;
  /** Everything that was sampled, before any filter. */
  sampled(batch: Batch): void;
}
