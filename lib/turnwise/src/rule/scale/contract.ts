import type { Metrics } from "../../base/glossary";
import type { Batch } from "../../batch/batch";
import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** What of a group divides its advantages: its deviation (`group`), or its mean. */
export interface GroupScaling {
  readonly scale: "none" | "group" | "mean";
  readonly unbiased?: boolean;
  readonly epsilon?: number;
}

/** Where the advantages come from. */
export interface ScaledBatch {
  readonly level: "trajectory" | "turn" | "token";
  readonly batch: Batch;
  readonly reward: { readonly return_n: ArrayLike<number> };
}

/** What a file of this folder says about a scale. */
export interface Scale<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** What it does inside each group. */
  withinGroup(o: ValueOf<F>): GroupScaling;
  /** What it does over all trajectories, turns or tokens (`used`: those with a sampled token); null for nothing. */
  overBatch(
    o: ValueOf<F>,
    advantage: Float64Array,
    used: Uint8Array,
    context?: ScaledBatch,
  ): { readonly advantage: Float64Array; readonly metrics: Metrics } | null;
}

export const scale = <F extends Fields>(parts: Scale<F>): Scale<F> => parts;
