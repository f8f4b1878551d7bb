import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

export interface Group {
  readonly id: string;
  /** The positions of its trajectories in the batch. */
  readonly members: readonly number[];
  /** Their returns, before any shaping. */
  readonly returns: readonly number[];
  /** Standard deviation of its returns; 0 where all are equal. */
  readonly deviation: number;
}

/** Declaration of a choice of groups by a file of this folder. */
export interface Filter<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** The groups that take part in the update. */
  kept(o: ValueOf<F>, groups: readonly Group[]): readonly Group[];
  /** Number of times that the trainer may sample to replace dropped groups. */
  generations(o: ValueOf<F>): number;
}

export const filter = <F extends Fields>(parts: Filter<F>): Filter<F> => parts;
