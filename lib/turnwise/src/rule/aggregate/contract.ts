import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

/** Numbers of tokens, turns and trajectories of a batch that take part. */
export interface Counts {
  /** Rows, and their turns and tokens, whether or not they take part. */
  readonly N: number;
  readonly T: number;
  readonly L: number;
  /** Active tokens of each turn, [N, T]. */
  readonly tokens_nt: Float64Array;
  readonly tokens_n: Float64Array;
  readonly turns_n: Float64Array;
  readonly tokens_t: Float64Array;
  /** Rows that take part, by turn index and in all. */
  readonly rows_t: Float64Array;
  readonly rows: number;
  readonly turns: number;
  /** Active tokens in all. */
  readonly tokens: number;
}

/** Declaration of a loss denominator by a file of this folder; an omitted part does not compile. */
export interface Aggregate<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** The denominator where it is the same for every token, from the number of active tokens alone; else null. */
  everywhere(
    o: ValueOf<F>,
    shape: readonly [n: number, t: number, l: number],
    tokens: () => number,
  ): number | null;
  /** The denominator of the tokens of turn t of row n. */
  of(o: ValueOf<F>, counts: Counts, n: number, t: number): number;
}

export const aggregate = <F extends Fields>(parts: Aggregate<F>): Aggregate<F> => parts;
