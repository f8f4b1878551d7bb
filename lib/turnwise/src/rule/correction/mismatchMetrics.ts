import type { Metrics } from "../../base/glossary";
import { exp } from "../../base/elementary/exp";
import type { Batch } from "../../batch/batch";
import { limitedExp, logRatioLimit } from "../ratio/units";

/** Metrics of the disagreement between trainer and rollout engine about the sampled tokens, before any correction. */
export function mismatchMetrics(
  { shape: [N, T, L], mask_ntl }: Batch,
  rollout_ntl: ArrayLike<number>,
  trainer_ntl: ArrayLike<number>,
): Metrics {
  let tokens = 0;
  let k1 = 0;
  let k3 = 0;
  let absolute = 0;
  let squares = 0;
  let largest = -Infinity;
  let trajectorySquares = 0;
  for (let n = 0; n < N; n++) {
    let logRatio = 0;
    for (let i = n * T * L; i < (n + 1) * T * L; i++) {
      if (mask_ntl[i] !== 1) continue;
      const d = trainer_ntl[i]! - rollout_ntl[i]!;
      const ratio = limitedExp(d);
      tokens++;
      k1 -= d;
      k3 += ratio - 1 - d;
      absolute += Math.abs(d);
      squares += ratio * ratio;
      largest = Math.max(largest, ratio);
      logRatio += d;
    }
    trajectorySquares += exp(2 * Math.max(-logRatioLimit, Math.min(logRatioLimit, logRatio)));
  }
  if (tokens === 0) return {};
  return {
    "mismatch/kl": k1 / tokens,
    "mismatch/approxKl": k3 / tokens,
    "mismatch/logProbGap": absolute / tokens,
    "mismatch/ratioMax": largest,
    "mismatch/chiSquaredToken": squares / tokens - 1,
    "mismatch/chiSquaredTrajectory": trajectorySquares / N - 1,
  };
}
