import type { Batch } from "turnwise";

/** A batch of trajectories of one turn, all of whose tokens were sampled; each is a group of its own, without reward. */
export function oneTurnBatch(
  length: number,
  tokens: readonly number[],
  oldLogProb: ArrayLike<number>,
  contexts: readonly unknown[],
): Batch {
  const N = contexts.length;
  const names = contexts.map((_, n) => String(n));
  return {
    shape: [N, 1, length],
    token_ntl: Int32Array.from(tokens),
    mask_ntl: new Uint8Array(N * length).fill(1),
    oldLogProb_ntl: Float64Array.from(oldLogProb),
    reward_nt: new Float64Array(N),
    return_n: new Float64Array(N),
    turnCount_n: new Int32Array(N).fill(1),
    trajectoryId: names,
    groupId: names,
    observation_nt: names.map(() => [""]),
    context_nt: contexts.map((context) => [context]),
    truncated: names.map(() => false),
  };
}
