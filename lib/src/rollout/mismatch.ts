import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";

/**
 * The batch as if its log-probs had been stored by an engine that computes them slightly otherwise than the trainer.
 *
 * ```
 * stored = log p + noise * (1 - p) * t,   t ~ Student's t with 3 degrees of freedom, one draw per sampled token
 * ```
 * In nats. The tail is heavy, and sure tokens (p near 1) are hardly touched: the shape of differences between a rollout
 * engine and a trainer. The tokens themselves are not changed. Returns the batch itself for noise 0.
 *
 * @see the project's reference [D], sections 7 and 8.C
 */
export function withMismatch(batch: Batch, noise: number, rng: Rng): Batch {
  if (noise === 0) return batch;
  const oldLogProb_ntl = batch.oldLogProb_ntl.slice();
  for (let i = 0; i < oldLogProb_ntl.length; i++) {
    if (batch.mask_ntl[i] !== 1) continue;
    const logProb = oldLogProb_ntl[i]!;
    oldLogProb_ntl[i] = logProb + noise * -Math.expm1(logProb) * studentT3(rng);
  }
  return { ...batch, oldLogProb_ntl };
}

function studentT3(rng: Rng): number {
  const z = rng.normal();
  const squares = rng.normal() ** 2 + rng.normal() ** 2 + rng.normal() ** 2;
  return z / Math.sqrt(squares / 3);
}
