import { square } from "../../base/elementary/square";
import type { Metrics } from "../../base/glossary";
import { mergeObjects } from "../../base/mergeObjects";
import type { Batch } from "../../batch/batch";
import { expectFinite, expectLength } from "../../base/expect";
import type { Recipe } from "../recipe";
import { shapedReward, type WholeDistributions } from "../reward/shaped";
import { scaleOf } from "../scale";
import { advantageOf } from "./index";
import type { CriticValues } from "./credit";

const what = "advantages";

/** Further facts about the policy before the update, where the rule reads them (`recipeNeeds`). */
export interface PolicyFacts extends WholeDistributions {
  /** Squared L2 norm of the gradient of each trajectory's log-prob in the policy's parameters, [N]. */
  readonly gradientSquare_n?: ArrayLike<number>;
}

export interface Advantages {
  /** Base advantage of every token, before any carry; 0 where masked. */
  readonly advantage_ntl: Float64Array;
  /** Comparison of each turn with its peers, [N, T], for a gate that reads it; only from an advantage that says so. */
  readonly standing_nt?: Float64Array;
  readonly metrics: Metrics;
}

/**
 * The base advantage of every token as the rule defines it: reward shaping, advantage, scale, clamp.
 *
 * `values` are the critic's: a flat [N, T] array of values before each turn, or several heads by name.
 * `refLogProb_ntl` is needed by a rule with `reward.kl`, and `facts` about the policy if that is exact, or if the
 * advantage reads some.
 *
 * @throws {TypeError} if shapes do not fit, or a rule with a critic gets no values
 * @throws {RangeError} if the batch is empty or a number is not finite
 * @example
 * import { advantages, make, recipe, scriptedBatch } from "turnwise";
 * const env = make("LookUp-v0");
 * const batch = scriptedBatch(env, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]);
 * const { advantage_ntl } = advantages(batch, recipe("rloo"));
 * advantage_ntl; // => [-1.33, -1.33, 0, 0, 1.33, 1.33, 1.33, 1.33]
 */
export function advantages(
  batch: Batch,
  recipe: Recipe,
  values?: ArrayLike<number> | CriticValues,
  refLogProb_ntl?: ArrayLike<number>,
  facts?: PolicyFacts,
): Advantages {
  check(batch);
  const reward = shapedReward(batch, recipe, refLogProb_ntl, facts);
  const heads: CriticValues = values === undefined ? {} : "length" in values ? { value_nt: values } : values;
  const { advantage, scale } = recipe;
  const credit = advantageOf(advantage).assign(advantage, {
    batch,
    reward,
    scale,
    values: heads,
    ...(facts?.oldLogProb_ntlv && { oldLogProb_ntlv: facts.oldLogProb_ntlv }),
    ...(facts?.gradientSquare_n && { gradientSquare_n: facts.gradientSquare_n }),
  });
  const [N, T, L] = batch.shape;
  const width = { trajectory: T * L, turn: L, token: 1 }[credit.level];
  const used = unitsWithTokens(batch, width);
  const over = scaleOf(scale).overBatch(scale, credit.advantage, used, {
    level: credit.level,
    batch,
    reward,
  });
  const scaled = over?.advantage ?? credit.advantage;
  const advantage_ntl = new Float64Array(N * T * L);
  for (let k = 0, i = 0; i < advantage_ntl.length; k++) {
    for (const end = i + width; i < end; i++) if (batch.mask_ntl[i] === 1) advantage_ntl[i] = scaled[k]!;
  }
  return {
    advantage_ntl,
    ...(credit.standing_nt && { standing_nt: credit.standing_nt }),
    metrics: mergeObjects(describe(advantage_ntl, batch.mask_ntl), over?.metrics),
  };
}

/** Which trajectories, turns or tokens the policy sampled at least one token of: the others are no statistics. */
function unitsWithTokens(batch: Batch, width: number): Uint8Array {
  const { mask_ntl } = batch;
  const used = new Uint8Array(mask_ntl.length / width);
  for (let k = 0, i = 0; k < used.length; k++) {
    for (const end = i + width; i < end; i++) if (mask_ntl[i] === 1) used[k] = 1;
  }
  return used;
}

function describe(advantage_ntl: Float64Array, mask_ntl: ArrayLike<number>): Metrics {
  let tokens = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < advantage_ntl.length; i++) {
    if (mask_ntl[i] !== 1) continue;
    tokens += 1;
    sum += advantage_ntl[i]!;
    squares += square(advantage_ntl[i]!);
  }
  if (tokens === 0) return {};
  const mean = sum / tokens;
  return {
    "advantage/mean": mean,
    "advantage/std": Math.sqrt(Math.max(0, squares / tokens - square(mean))),
  };
}

function check(batch: Batch): void {
  const [N, T] = batch.shape;
  if (N === 0) {
    throw new RangeError(`Cannot compute ${what}: there must be at least one trajectory, got none.`);
  }
  expectLength(what, "mask_ntl", batch.mask_ntl, batch.shape);
  expectLength(what, "reward_nt", batch.reward_nt, [N, T]);
  expectLength(what, "return_n", batch.return_n, [N]);
  expectLength(what, "groupId", batch.groupId, [N]);
  expectFinite(what, "return_n", batch.return_n);
}
