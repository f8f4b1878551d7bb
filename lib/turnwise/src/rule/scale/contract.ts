import type { Metrics } from "../../base/glossary";
import type { Batch } from "../../batch/batch";
import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** Divisor of the advantages of a group: its standard deviation (`group`), or its mean. */
export interface GroupScaling {
  readonly scale: "none" | "group" | "mean";
  readonly unbiased?: boolean;
  readonly epsilon?: number;
}

/** Batch from which the advantages come. */
export interface ScaledBatch {
  readonly level: "trajectory" | "turn" | "token";
  readonly batch: Batch;
  readonly reward: { readonly return_n: ArrayLike<number> };
}

/** Declaration of a scale by a file of this folder. */
export interface Scale<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Scaling inside each group. */
  withinGroup(o: ValueOf<F>): GroupScaling;
  /** Scaling over all trajectories, turns or tokens (`used`: those with a sampled token); null for none. */
  overBatch(
    o: ValueOf<F>,
    advantage: Float64Array,
    used: Uint8Array,
    context?: ScaledBatch,
  ): { readonly advantage: Float64Array; readonly metrics: Metrics } | null;
}

export const scale = <F extends Fields>(parts: Scale<F>): Scale<F> => parts;
