import type { Metrics } from "../../base/glossary";
import type { Rng } from "../../base/rng";
import type { Batch } from "../../batch/batch";
import type { Env } from "../../env/env";
import type { Policy } from "../../policy/policy";

/** Inputs of a step reward: the filtered batch, the policy that sampled it, and the world. */
export interface StepInput {
  readonly batch: Batch;
  readonly policy: Policy;
  readonly env: Env;
  /** The update's own generator. */
  readonly rng: Rng;
  /** Generator that the batch was collected with: collecting with it again gives the same starts and draws. Default `rng`. */
  readonly rollout?: Rng;
}

export interface StepOutput {
  /** Reward of each turn, flat [N, T]; 0 after the end. */
  readonly step_nt: Float64Array;
  readonly metrics: Metrics;
}

/** Says of every turn of a batch what it earns. One that learns keeps its state from update to update. */
export interface StepRewarder {
  judge(input: StepInput): StepOutput;
  /** Everything that `restore` takes back, as plain JSON data; only from one that learns. */
  state?(): unknown;
  restore?(state: unknown): void;
}
