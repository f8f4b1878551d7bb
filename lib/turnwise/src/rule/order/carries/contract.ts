import type { Fields, ValueOf } from "../../../schema";
import type { Part } from "../../part";
import type { Pooling } from "../../ratio/pooling";

/** Declaration of a carry by a file of this folder: the ratios that a turn passes to the next. */
export interface CarryPart<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Pooling of a turn's log-ratios to one ratio; null for a carry that stays 1. */
  pooling(o: ValueOf<F>): Pooling | null;
  /** The carry after a turn of this ratio. */
  after(o: ValueOf<F>, ratio: number, carry: number): number;
  /** The bounds that the exact laboratory takes, for a carry that is cut. */
  bounds(o: ValueOf<F>): readonly [low: number, high: number] | null;
}

export const carry = <F extends Fields>(parts: CarryPart<F>): CarryPart<F> => parts;
