import { expm1 } from "../base/elementary/expm1";
import { square } from "../base/elementary/square";
import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";

/**
 * The batch as if a rollout engine had stored its log-probs that computes them slightly differently from the trainer.
 *
 * ```
 * stored = log p + noise * (1 - p) * t,   t ~ Student's t with 3 degrees of freedom, one draw per sampled token
 * ```
 * in nats. Tails are heavy, and tokens that are nearly certain hardly change, as between real rollout engines and trainers.
 * The tokens stay the same. With noise 0 this returns the batch itself.
 */
export function withMismatch(batch: Batch, noise: number, rng: Rng): Batch {
  if (noise === 0) return batch;
  const oldLogProb_ntl = batch.oldLogProb_ntl.slice();
  for (let i = 0; i < oldLogProb_ntl.length; i++) {
    if (batch.mask_ntl[i] !== 1) continue;
    const logProb = oldLogProb_ntl[i]!;
    oldLogProb_ntl[i] = logProb + noise * -expm1(logProb) * studentT3(rng);
  }
  return { ...batch, oldLogProb_ntl };
}

function studentT3(rng: Rng): number {
  const z = rng.normal();
  const squares = square(rng.normal()) + square(rng.normal()) + square(rng.normal());
  return z / Math.sqrt(squares / 3);
}
