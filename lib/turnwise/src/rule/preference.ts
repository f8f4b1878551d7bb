import { exp } from "../base/elementary/exp";
import { log1p } from "../base/elementary/log1p";
import type { Batch } from "../batch/batch";
import { expectLength } from "../base/expect";

export interface PreferenceInput {
  /** Rows of the batch: the better answer and the worse one to the same question. */
  readonly chosen: number;
  readonly rejected: number;
  /** [N, T, L], nats; the policy that the batch was sampled from unless told. */
  readonly logProb_ntl?: ArrayLike<number>;
  /** [N, T, L], nats; the frozen reference, likewise. */
  readonly refLogProb_ntl?: ArrayLike<number>;
  /** Default 0.1. */
  readonly beta?: number;
}

export interface Preference {
  readonly loss: number;
  /** d loss / d log pi of each token, [N, T, L]: one number for all tokens of an answer. */
  readonly dLogProb_ntl: Float64Array;
}

const what = "the preference loss";

/**
 * The loss of direct preference optimization on one pair of trajectories, and its derivative.
 *
 * ```
 * loss = -log sigma(beta (D_chosen - D_rejected)),   D = sum over tokens of log pi - log ref
 * d loss / d log pi = -/+ beta sigma(-beta (D_chosen - D_rejected))   on tokens of the chosen / rejected answer
 * ```
 * Turns play no part: a trajectory is one answer.
 *
 * @throws {RangeError} if the rows are not two different rows of the batch, or beta is not above 0
 * @throws {TypeError} if shapes do not fit
 * @example
 * import { make, preferenceLoss, scriptedBatch } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * preferenceLoss(batch, { chosen: 1, rejected: 0 }).loss; // => 0.693
 * @see DPO, Rafailov et al. 2023 (arXiv 2305.18290), Eq. 7
 */
export function preferenceLoss(batch: Batch, input: PreferenceInput): Preference {
  const { chosen, rejected, beta = 0.1 } = input;
  const logProb_ntl = input.logProb_ntl ?? batch.oldLogProb_ntl;
  const refLogProb_ntl = input.refLogProb_ntl ?? batch.oldLogProb_ntl;
  const [N, T, L] = batch.shape;
  expectLength(what, "logProb_ntl", logProb_ntl, batch.shape);
  expectLength(what, "refLogProb_ntl", refLogProb_ntl, batch.shape);
  const isRow = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < N;
  if (!isRow(chosen) || !isRow(rejected) || chosen === rejected) {
    throw new RangeError(
      `Cannot compute ${what}: chosen and rejected must be two rows from 0 to ${N - 1}, ` +
        `got ${chosen} and ${rejected}.`,
    );
  }
  if (!(beta > 0)) {
    throw new RangeError(`Cannot compute ${what}: beta must be above 0, got ${beta}.`);
  }
  const cells = (n: number): number[] =>
    Array.from({ length: T * L }, (_, i) => n * T * L + i).filter((i) => batch.mask_ntl[i] === 1);
  const reward = (n: number): number =>
    cells(n).reduce((sum, i) => sum + logProb_ntl[i]! - refLogProb_ntl[i]!, 0);
  const margin = beta * (reward(chosen) - reward(rejected));
  const dLogProb_ntl = new Float64Array(N * T * L);
  const push = beta / (1 + exp(margin));
  for (const i of cells(chosen)) dLogProb_ntl[i] = -push;
  for (const i of cells(rejected)) dLogProb_ntl[i] = push;
  // log(1 + exp(-x)) without overflow.
  return { loss: Math.max(0, -margin) + log1p(exp(-Math.abs(margin))), dLogProb_ntl };
}
