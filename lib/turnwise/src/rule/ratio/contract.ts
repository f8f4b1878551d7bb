import type { Fields, ValueOf } from "../../schema";
import type { Part } from "../part";

export type Shape = readonly [n: number, t: number, l: number];

/** Declaration of the ratio of one level by a file of this folder. */
export interface Ratio<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Whether there is a ratio at all. */
  readonly formed: boolean;
  /** Number of neighboring positions of an [N, T, L] block that share one ratio. */
  unitSize(shape: Shape): number;
  /** The axes of [N, T, L] over which a unit reaches. */
  readonly axes: readonly number[];
}

export const ratio = <F extends Fields>(parts: Ratio<F>): Ratio<F> => parts;
