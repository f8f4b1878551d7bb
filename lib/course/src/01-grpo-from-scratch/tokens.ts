import type { Batch } from "turnwise/internal/batch/batch";

/** A cell of a batch, with its places in the batch's flat arrays. */
export interface TokenCell {
  /** Place in `logProb_ntl` and all else that has a number for each token. */
  readonly index: number;
  /** Place in `reward_nt` and all else that has a number for each turn. */
  readonly turn: number;
  /** Place in `return_n` and all else that has a number for each episode. */
  readonly episode: number;
  /** 1 where the policy wrote the token, 0 where nothing is learned from it. */
  readonly mask: number;
  /** Log-prob of the token when it was sampled, nats. */
  readonly oldLogProb: number;
}

const known = new WeakMap<Batch, readonly TokenCell[]>();

/**
 * The cells of a batch in the order of its flat arrays, padding included, for update rules that are written by hand.
 *
 * @example
 * import { collect, createPolicy, createRng, make } from "turnwise";
 * import { tokensOf } from "turnwise-course/grpo-from-scratch";
 * const world = make("LookUp-v0");
 * const batch = collect(world, createPolicy(world.spec), { groups: 1, groupSize: 2, rng: createRng(0) });
 * tokensOf(batch).map((token) => token.mask * batch.return_n[token.episode]!).length; // => 8
 */
export function tokensOf(batch: Batch): readonly TokenCell[] {
  const before = known.get(batch);
  if (before) return before;
  const [N, T, L] = batch.shape;
  const cells = Array.from({ length: N * T * L }, (_, index): TokenCell => ({
    index,
    turn: Math.floor(index / L),
    episode: Math.floor(index / (T * L)),
    mask: batch.mask_ntl[index]!,
    oldLogProb: batch.oldLogProb_ntl[index]!,
  }));
  known.set(batch, cells);
  return cells;
}
