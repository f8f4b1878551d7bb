import type { Fields, ValueOf } from "../../../schema";
import type { Part } from "../../part";

/** A token of the loss, as a rule by covariance sees it. */
export interface CovaryingToken {
  /** Its position in the batch. */
  readonly cell: number;
  /** Its trajectory's id; empty where trajectories have none. */
  readonly owner: string;
  /** (A - mean A) (log pi - mean log pi), both means over the tokens of the loss. */
  readonly covariance: number;
  /** Whether the gate has already taken its gradient away. */
  readonly clipped: boolean;
  /** In [0, 1): decides between equals. */
  readonly draw: number;
}

/** Declaration by a file of this folder of the treatment of tokens with high advantage/log-prob covariance. */
export interface CovarianceRule<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table; nothing where the rule does without. */
  label(o: ValueOf<F>): string[];
  /** Whether it does anything. */
  readonly active: boolean;
  /** Whether draws decide whom it takes. */
  readonly random: boolean;
  /** The tokens that it takes. */
  taken(o: ValueOf<F>, tokens: readonly CovaryingToken[]): readonly CovaryingToken[];
  /** Penalty of a selected token for each nat of |log pi - log pi_old|; null if its objective is dropped instead. */
  charge(o: ValueOf<F>): number | null;
}

export const covarianceRule = <F extends Fields>(parts: CovarianceRule<F>): CovarianceRule<F> => parts;

/** So many of `count` tokens as a share is, rounded down, but one at least, as the releases have it; none of a share of 0. */
export const shareOf = (share: number, count: number): number =>
  share === 0 || count === 0 ? 0 : Math.max(1, Math.floor(share * count));

/** Of equals the trajectory comes first whose id does, so that shuffled trajectories lose the same tokens; within one, the first token. */
export const byOwner = (a: CovaryingToken, b: CovaryingToken): number =>
  a.owner === b.owner ? a.cell - b.cell : a.owner < b.owner ? -1 : 1;
