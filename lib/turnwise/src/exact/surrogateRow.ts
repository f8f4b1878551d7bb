import { log } from "../base/elementary/log";
import { power } from "../base/elementary/power";
import { boundMet, clippedRatio } from "../rule/gate/clip";

/** One information state as a surrogate sees it, with the ratio and the penalty under study. */
export interface SurrogateRow {
  /** The policy that sampled the batch. */
  readonly old: ArrayLike<number>;
  /** old(a) E[max(A, 0) | a] and old(a) E[min(A, 0) | a]. */
  readonly positive: ArrayLike<number>;
  readonly negative: ArrayLike<number>;
  /** Clip radius (.2). */
  readonly clip?: number;
  /** Tokens of every action. If given, the ratio is the geometric mean (pi / old)^(1 / length), as in GSPO and SO-PPO. */
  readonly length?: ArrayLike<number>;
  /** lambda of a penalty lambda x clip fraction x KL(old || new), our own form of what SO-PPO and SO-GRPO trigger by clipping. */
  readonly clipKlPenalty?: number;
}

/**
 * The expected clipped surrogate of one information state.
 *
 *   L(p) = sum_a W+_a min(s_a, 1 + clip) + W-_a max(s_a, 1 - clip) - lambda clipFraction(p) KL(old || p)
 *
 * with s_a = p_a / old_a, or that to the power 1 / length_a.
 */
export function surrogateValue(row: SurrogateRow, p: ArrayLike<number>): number {
  const { old, positive, negative, clip = 0.2, length, clipKlPenalty = 0 } = row;
  const [low, high] = [1 - clip, 1 + clip];
  const counted = (s: number, advantage: 1 | -1): number =>
    clippedRatio(s, boundMet(s, advantage, low, high), low, high);
  let value = 0;
  let clipped = 0;
  let kl = 0;
  for (let a = 0; a < old.length; a++) {
    const ratio = p[a]! / old[a]!;
    const s = length ? power(ratio, 1 / length[a]!) : ratio;
    value += positive[a]! * counted(s, 1) + negative[a]! * counted(s, -1);
    if (Math.abs(s - 1) > clip) clipped += old[a]!;
    kl -= old[a]! * log(ratio);
  }
  return clipKlPenalty === 0 || clipped === 0 ? value : value - clipKlPenalty * clipped * kl;
}

/**
 * The drift D that a surrogate implies when it is written in the form of mirror learning, L(p) = E_p[A] - D(p).
 *
 *   D(p) = sum_a p_a / old_a (W+_a + W-_a) - L(p)
 *
 * @see Kuba et al., "Mirror Learning" (2022), where PPO's drift is E_old[ReLU((r - clip(r)) A)]
 */
export function impliedDrift(row: SurrogateRow, p: ArrayLike<number>): number {
  let linear = 0;
  for (let a = 0; a < row.old.length; a++) {
    linear += (p[a]! / row.old[a]!) * (row.positive[a]! + row.negative[a]!);
  }
  return linear - surrogateValue(row, p);
}

/**
 * The maximizer of a function over the points of the simplex whose coordinates are multiples of 1/steps.
 *
 * @returns the first maximizer, or `start` unless the maximum exceeds the value there by more than 1e-12
 */
export function simplexArgmax(
  objective: (p: readonly number[]) => number,
  start: readonly number[],
  steps: number,
): readonly number[] {
  let best = start;
  let most = objective(start) + 1e-12;
  const place = (head: readonly number[], left: number): void => {
    if (head.length === start.length - 1) {
      const p = [...head, left].map((k) => k / steps);
      const value = objective(p);
      if (value > most) {
        most = value;
        best = p;
      }
      return;
    }
    for (let k = 0; k <= left; k++) place([...head, k], left - k);
  };
  place([], steps);
  return best;
}
