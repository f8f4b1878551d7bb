import { square } from "../base/elementary/square";
import type { Batch } from "../batch/batch";
import type { Policy } from "../policy/policy";
import { globalNorm } from "./optimizer";

/**
 * |grad log pi(tau)|^2 of each trajectory, in the policy's own parameters: a backward pass for each.
 *
 * Retrieved tokens count as far as the batch's mask has them.
 */
export function gradientSquares(policy: Policy, batch: Batch): Float64Array {
  const gradient = { dLogProb_ntl: Float64Array.from(batch.mask_ntl) };
  return Float64Array.from({ length: batch.shape[0] }, (_, n) => {
    const row = [n];
    return square(
      globalNorm(policy.sparseBackward?.(batch, gradient, row) ?? policy.backward(batch, gradient, row)),
    );
  });
}
