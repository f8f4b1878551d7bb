import type { Batch } from "../../batch/batch";
import type { Evaluation, Policy } from "../../policy/policy";
import type { Optimizer } from "../optimizer";

/** Mean of -log pi(token) over the tokens of the mask, nats. */
export function imitationLoss({ mask_ntl }: Batch, { logProb_ntl }: Evaluation): number {
  return -logProb_ntl.reduce((sum, x, i) => (mask_ntl[i] === 1 ? sum + x : sum), 0) / tokensOf(mask_ntl);
}

/**
 * One step down the slope of `imitationLoss`; gives the loss before it.
 *
 * @param number for the error's message
 * @throws {RangeError} if the loss is not finite; nothing has moved then
 */
export function imitationStep(policy: Policy, batch: Batch, optimizer: Optimizer, number: number): number {
  const evaluation = policy.evaluate(batch);
  const loss = imitationLoss(batch, evaluation);
  if (!Number.isFinite(loss)) {
    throw new RangeError(
      `Cannot imitate: the loss must be finite, but it is ${loss} at step ${number}. Try a lower learning rate.`,
    );
  }
  const tokens = tokensOf(batch.mask_ntl);
  const dLogProb_ntl = Float64Array.from(batch.mask_ntl, (mask) => -mask / tokens);
  const gradient = policy.backward(batch, { dLogProb_ntl }, undefined, undefined, evaluation);
  optimizer.step(policy.parameters, gradient);
  return loss;
}

const tokensOf = (mask_ntl: Batch["mask_ntl"]): number => mask_ntl.reduce((sum, mask) => sum + mask, 0);
