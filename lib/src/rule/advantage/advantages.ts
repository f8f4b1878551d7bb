import type { Metrics } from "../../base/glossary";
import type { Batch } from "../../batch/batch";
import { expectFinite, expectLength } from "../../base/expect";
import type { Recipe, ScaleChoice } from "../recipe";
import { shapedReward } from "../reward/shaped";
import type { Credit, CriticValues, ShapedReward } from "./credit";
import { biLevelGae, tokenGae, turnGae } from "./criticAdvantage";
import { gigpoAdvantage } from "./gigpo";
import { groupAdvantage64, whiten } from "./groupAdvantage";
import { hierarchicalAdvantage } from "./hierarchical";
import { agentAdvantage, perTurnAdvantage } from "./turnGroups";

const what = "advantages";

export interface Advantages {
  /** Base advantage of every token, before any carry; 0 where masked. */
  readonly advantage_ntl: Float64Array;
  readonly metrics: Metrics;
}

/**
 * The base advantage of every token as the row defines it: reward shaping, advantage, scale, clamp.
 *
 * `values` are the critic's: a flat [N, T] array of values before each turn, or several heads by name.
 * `refLogProb_ntl` is needed by a row with `reward.kl`.
 *
 * @throws TypeError when shapes do not fit, or a rule with a critic gets no values
 * @throws RangeError for an empty batch or numbers that are not finite
 */
export function advantages(
  batch: Batch,
  recipe: Recipe,
  values?: ArrayLike<number> | CriticValues,
  refLogProb_ntl?: ArrayLike<number>,
): Advantages {
  check(batch);
  const reward = shapedReward(batch, recipe, refLogProb_ntl);
  const heads: CriticValues = values === undefined ? {} : "length" in values ? { value_nt: values } : values;
  const credit = assign(batch, reward, recipe, heads);
  const [N, T, L] = batch.shape;
  const width = { trajectory: T * L, turn: L, token: 1 }[credit.level];
  const used = unitsWithTokens(batch, width);
  const scaled = overBatch(credit.advantage, used, recipe.scale);
  const clamped = clampTo(scaled, used, recipe.scale);
  const advantage_ntl = new Float64Array(N * T * L);
  for (let k = 0, i = 0; i < advantage_ntl.length; k++) {
    for (const end = i + width; i < end; i++) if (batch.mask_ntl[i] === 1) advantage_ntl[i] = scaled[k]!;
  }
  return {
    advantage_ntl,
    metrics: { ...describe(advantage_ntl, batch.mask_ntl), ...clamped },
  };
}

function assign(batch: Batch, reward: ShapedReward, recipe: Recipe, values: CriticValues): Credit {
  const { advantage, scale } = recipe;
  switch (advantage.kind) {
    case "return":
      return { level: "trajectory", advantage: Float64Array.from(reward.return_n) };
    case "mean":
      if (advantage.groupBy === "taskAgent") return agentAdvantage(batch, reward, advantage, scale);
      return perTrajectory(batch, reward, scale, "mean", advantage.allowSingleton);
    case "leaveOneOut":
      return perTrajectory(batch, reward, scale, "leaveOneOut", false);
    case "perTurn":
      return perTurnAdvantage(batch, reward, advantage, scale);
    case "gae":
      return advantage.level === "turn"
        ? turnGae(batch, reward, advantage, values)
        : tokenGae(batch, reward, advantage, values);
    case "biLevelGae":
      return biLevelGae(batch, reward, advantage, values);
    case "gigpo":
      return gigpoAdvantage(batch, reward, advantage, scale);
    case "hierarchical":
      return hierarchicalAdvantage(batch, reward, advantage, values);
  }
}

function perTrajectory(
  batch: Batch,
  reward: ShapedReward,
  scale: ScaleChoice,
  baseline: "mean" | "leaveOneOut",
  allowSingleton: boolean,
): Credit {
  const advantage = groupAdvantage64(reward.return_n, batch.groupId, {
    baseline,
    scale: scale.kind === "group" ? "group" : "none",
    allowSingleton,
    ...(scale.kind === "none" ? {} : { unbiased: scale.unbiased, epsilon: scale.epsilon }),
  });
  return { level: "trajectory", advantage };
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

function overBatch(advantage: Float64Array, used: Uint8Array, scale: ScaleChoice): Float64Array {
  if (scale.kind !== "batch") return advantage;
  const chosen = new Float64Array(advantage.length);
  let count = 0;
  for (let k = 0; k < used.length; k++) if (used[k] === 1) chosen[count++] = advantage[k]!;
  const whitened = whiten(chosen.subarray(0, count), scale.unbiased, scale.epsilon);
  const result = new Float64Array(advantage.length);
  let next = 0;
  for (let k = 0; k < used.length; k++) if (used[k] === 1) result[k] = whitened[next++]!;
  return result;
}

function clampTo(advantage: Float64Array, used: Uint8Array, scale: ScaleChoice): Metrics {
  if (scale.kind !== "batch" || scale.clamp === null) return {};
  const limit = scale.clamp;
  let cut = 0;
  let count = 0;
  used.forEach((flag, k) => {
    if (flag !== 1) return;
    count += 1;
    if (Math.abs(advantage[k]!) > limit) cut += 1;
    advantage[k] = Math.min(Math.max(advantage[k]!, -limit), limit);
  });
  return { "advantage/fracClamped": cut / Math.max(1, count) };
}

function describe(advantage_ntl: Float64Array, mask_ntl: ArrayLike<number>): Metrics {
  let tokens = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < advantage_ntl.length; i++) {
    if (mask_ntl[i] !== 1) continue;
    tokens += 1;
    sum += advantage_ntl[i]!;
    squares += advantage_ntl[i]! ** 2;
  }
  if (tokens === 0) return {};
  const mean = sum / tokens;
  return {
    "advantage/mean": mean,
    "advantage/std": Math.sqrt(Math.max(0, squares / tokens - mean ** 2)),
  };
}

function check(batch: Batch): void {
  const [N, T] = batch.shape;
  if (N === 0) {
    throw new RangeError(`Cannot compute ${what} as there must be at least one trajectory: 0 trajectories`);
  }
  expectLength(what, "mask_ntl", batch.mask_ntl, batch.shape);
  expectLength(what, "reward_nt", batch.reward_nt, [N, T]);
  expectLength(what, "return_n", batch.return_n, [N]);
  expectLength(what, "groupId", batch.groupId, [N]);
  expectFinite(what, "return_n", batch.return_n);
}
