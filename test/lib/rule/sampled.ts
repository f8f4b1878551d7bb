import assert from "node:assert/strict";
import { type Batch, advantages, surrogateGradient, type Recipe } from "turnwise";
import { type SurrogateGradient } from "turnwise/internal/rule/index";
import { assertClose, batchOf, raggedInput, type FullInput } from "./support";

/** Four trajectories in two groups of two, ragged in turns; `spread` is how far the policy is from the old one. */
export function sampled(o: { turns?: readonly number[]; tokens?: number; spread?: number }): {
  batch: Batch;
  input: Omit<FullInput, "advantage_ntl">;
} {
  const { turns = [2, 3, 1, 3], tokens = 3, spread = 0.9 } = o;
  const bare = batchOf({
    groupId: ["a", "a", "b", "b"],
    return_n: [1, 0.25, -1, 2],
    turnCount: turns,
    tokens,
  });
  const input = raggedInput(31, bare.shape as [number, number, number], spread);
  return {
    batch: { ...bare, oldLogProb_ntl: input.oldLogProb_ntl as Float64Array },
    input: { ...input, mask_ntl: bare.mask_ntl },
  };
}

export function gradientOf(
  { batch, input }: ReturnType<typeof sampled>,
  row: Recipe,
  value_nt?: ArrayLike<number>,
  turns?: readonly number[],
): SurrogateGradient {
  const { advantage_ntl } = advantages(batch, row, value_nt);
  return surrogateGradient({ ...input, advantage_ntl }, row, turns);
}

export function assertSame(a: SurrogateGradient, b: SurrogateGradient): void {
  assert.ok(
    b.dLogProb_ntl.some((x) => x !== 0),
    "the comparison must not be between zeros",
  );
  assertClose([a.loss], [b.loss], 1e-12, "loss");
  assertClose(a.dLogProb_ntl, b.dLogProb_ntl, 1e-12, "gradient");
}
