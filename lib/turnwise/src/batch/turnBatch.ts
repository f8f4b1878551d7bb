import type { Batch } from "./batch";

/** A batch of single turns, one trajectory each: enough for `policy.evaluate` and `policy.backward`. */
export function turnBatch(
  tokens: readonly (readonly number[])[],
  contexts: readonly unknown[],
  observations: readonly string[],
  maxTokens: number,
): Batch {
  const N = tokens.length;
  const token_ntl = new Int32Array(N * maxTokens);
  const mask_ntl = new Uint8Array(N * maxTokens);
  tokens.forEach((turn, n) => {
    token_ntl.set(turn, n * maxTokens);
    mask_ntl.fill(1, n * maxTokens, n * maxTokens + turn.length);
  });
  return {
    shape: [N, 1, maxTokens],
    token_ntl,
    mask_ntl,
    oldLogProb_ntl: new Float64Array(N * maxTokens),
    reward_nt: new Float64Array(N),
    return_n: new Float64Array(N),
    turnCount_n: new Int32Array(N).fill(1),
    trajectoryId: tokens.map((_, n) => String(n)),
    groupId: tokens.map(() => "0"),
    observation_nt: observations.map((text) => [text]),
    context_nt: contexts.map((context) => [context]),
    truncated: tokens.map(() => false),
  };
}
