import { exp } from "../../base/elementary/exp";
import { NO } from "../../rule/gate/contract";
import { boundMet } from "../../rule/gate/clip";
import type { RowBatch } from "./rowBatch";

type Clip = { readonly low: number; readonly high: number } | null;

/** Wider than what rounding makes of a ratio at its bound. */
const beyond = 1e-15;

/** Whether nothing more is gained by moving a ratio on; at its bound itself, nothing is. */
const stopped = (clip: Clip, ratio: number, advantage: 1 | -1): boolean =>
  clip !== null && boundMet(ratio * (1 + advantage * beyond), advantage, 1 - clip.low, 1 + clip.high) !== NO;

/**
 * Gradient ascent on the expected surrogate of one batch, in the logits of a softmax row.
 *
 *   logit_a += learningRate p_a (g_a - sum_b p_b g_b),
 *   g_a = dL / dp_a = (W+_a [p_a < (1 + high) old_a] + W-_a [p_a > (1 - low) old_a]) / old_a
 *
 * One step from the old policy without a clip is the exact expectation of REINFORCE with the rule's advantages.
 */
export function ascend(
  { current, old, positive, negative }: RowBatch,
  {
    learningRate,
    steps,
    clip,
  }: {
    readonly learningRate: number;
    readonly steps: number;
    readonly clip: Clip;
  },
): Float64Array {
  const n = old.length;
  let p = current;
  const slope = new Float64Array(n);
  for (let k = 0; k < steps; k++) {
    let mean = 0;
    for (let a = 0; a < n; a++) {
      const up = stopped(clip, p[a]! / old[a]!, 1) ? 0 : positive[a]!;
      const down = stopped(clip, p[a]! / old[a]!, -1) ? 0 : negative[a]!;
      slope[a] = old[a]! > 0 ? (up + down) / old[a]! : 0;
      mean += p[a]! * slope[a]!;
    }
    const next = new Float64Array(n);
    // Subtracting the largest change of a logit keeps exp from overflowing.
    let most = -Infinity;
    for (let a = 0; a < n; a++) most = Math.max(most, p[a]! * (slope[a]! - mean));
    let total = 0;
    for (let a = 0; a < n; a++) {
      next[a] = p[a]! * exp(learningRate * (p[a]! * (slope[a]! - mean) - most));
      total += next[a]!;
    }
    for (let a = 0; a < n; a++) next[a]! /= total;
    p = next;
  }
  return p;
}
