import { number, oneOf, orNull, type Fields, type Nullable, type ValueOf } from "../../schema";
import type { Part } from "../part";

/** Treatment of the tokens that share one ratio of trainer to rollout engine. */
export interface Judgment {
  /** Weight of their objective. */
  readonly weight: number;
  /** Whether they stay in the loss and in its denominators. */
  readonly kept: boolean;
  /** Whether the weight is smaller than the ratio. */
  readonly truncated?: boolean;
}

/**
 * Declaration of a correction by a file of this folder: the treatment of tokens whose log-probs differ between trainer
 * and rollout engine.
 *
 * The weight multiplies what a token's objective adds to the loss, and no gradient goes through it. Regularizers are not
 * weighted, as in verl and TRL.
 */
export interface Correction<F extends Fields = Fields> extends Part<F> {
  /** A few characters for the printed table. */
  label(o: ValueOf<F>): string;
  /** Whether it looks at what the rollout engine said at all. */
  readonly active: boolean;
  /** Which tokens share one ratio: the product of theirs, or its geometric mean. */
  unit(o: ValueOf<F>): { readonly level: CorrectionLevel; readonly averaged: boolean };
  /** Source of the rule's old log-probs: the trainer's own forward pass before the update, or the rollout engine. */
  oldLogProb(o: ValueOf<F>): "decoupled" | "bypass";
  /** Treatment that follows from a ratio of trainer to rollout engine. */
  judge(o: ValueOf<F>, ratio: number): Judgment;
}

export const correction = <F extends Fields>(parts: Correction<F>): Correction<F> => parts;

const levels = ["token", "turn", "trajectory"] as const;

export type CorrectionLevel = (typeof levels)[number];

export const levelFrom = (first: CorrectionLevel): ReturnType<typeof oneOf<CorrectionLevel>> =>
  oneOf([first, ...levels.filter((level) => level !== first)] as const, {
    help: "Which tokens share one ratio of trainer to rollout engine.",
  });

/** On-policy tokens have ratio 1 and must pass, so the bounds lie on both sides of it. */
export const lowFrom = (initial: number): ReturnType<typeof number> =>
  number(initial, {
    atLeast: 0,
    atMost: 1,
    help: "The smallest ratio that passes; 0 lets all small ones pass.",
  });

export const highFrom = (
  initial: number,
  help = "The largest ratio that passes; null lets all large ones pass.",
): Nullable<ReturnType<typeof number>> => ({
  ...orNull(number(initial, { atLeast: 1, help })),
  default: initial,
});

export const oldLogProb = oneOf(["decoupled", "bypass"], {
  help:
    "Where old log-probs come from: the trainer's own forward pass before the update (decoupled), or the rollout engine, so " +
    "that the rule's ratio corrects and no weight does (bypass).",
});

/** Whether a ratio lies within its bounds. */
export const within = (
  { low, high }: { readonly low: number; readonly high: number | null },
  ratio: number,
): boolean => ratio >= low && ratio <= (high ?? Infinity);

/** Bounds for the printed table. */
export const boundsLabel = ({ low, high }: { readonly low: number; readonly high: number | null }): string =>
  `${low}–${high ?? "∞"}`;
