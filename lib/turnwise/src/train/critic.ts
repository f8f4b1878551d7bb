import { power } from "../base/elementary/power";
import { isConstant, variance } from "../base/statistics";
import type { Batch } from "../batch/batch";
import { forEachTurn } from "../batch/cells";
import type { AdvantageChoice, Recipe } from "../rule";
import { advantageOf } from "../rule/advantage";
import type { ShapedReward } from "../rule/advantage/credit";
import { tokenGae, turnGae } from "../rule/advantage/criticAdvantage";

/**
 * The target of the value before each turn, chosen by the rule's `valueTarget`: the sampled return or GAE's lambda-return.
 */
export function valueTarget(
  batch: Batch,
  recipe: Recipe,
  reward: ShapedReward,
  value_nt: Float64Array,
): Float64Array {
  const { advantage } = recipe;
  const leans = "valueTarget" in advantage && advantage.valueTarget === "lambdaReturn";
  return leans
    ? lambdaReturn(batch, advantage, reward, value_nt)
    : rewardToGo(batch, recipe, reward.reward_nt);
}

/**
 * GAE's lambda-return from turn t on, with the advantage before any scaling.
 *
 * ```
 * target_t = A_t + V_t,   A_t: advantage of the turn, or of its first token if GAE runs over tokens
 * ```
 * At lambda 1 this is the sampled return, whatever the values are; at lambda 0 it is one reward plus the next value.
 *
 * @see Schulman et al., arXiv 1506.02438, Eq. 28; Sutton and Barto, Reinforcement Learning, section 12.1
 */
function lambdaReturn(
  batch: Batch,
  choice: Extract<AdvantageChoice, { readonly kind: "gae" }>,
  reward: ShapedReward,
  value_nt: Float64Array,
): Float64Array {
  const [N, T, L] = batch.shape;
  const overTurns = choice.level === "turn";
  const { advantage } = (overTurns ? turnGae : tokenGae)(batch, reward, choice, { value_nt });
  const target_nt = new Float64Array(N * T);
  forEachTurn(batch, undefined, undefined, (n, t) => {
    const nt = n * T + t;
    const first = batch.mask_ntl.indexOf(1, nt * L);
    const written = first >= nt * L && first < (nt + 1) * L;
    // A turn without sampled tokens has no advantage: its target is its own value.
    target_nt[nt] = value_nt[nt]! + (overTurns ? advantage[nt]! : written ? advantage[first]! : 0);
  });
  return target_nt;
}

/**
 * The sampled return from turn t on: the shaped rewards, discounted as the rule's advantage discounts them.
 *
 * ```
 * G_t = gamma^(k - 1) r_t + gamma^k G_{t+1}
 * ```
 * A turn takes k = 1 steps, or as many steps as it has sampled tokens if GAE runs over tokens.
 * Monte Carlo targets keep the critic unbiased, whatever lambda is.
 */
export function rewardToGo(batch: Batch, recipe: Recipe, reward_nt: Float64Array): Float64Array {
  const [N, T, L] = batch.shape;
  const { advantage } = recipe;
  const { gamma, perToken } = advantageOf(advantage).criticDiscount(advantage);
  const overTokens = perToken && gamma !== 1;
  const target_nt = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    let after = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      const nt = n * T + t;
      let tokens = 0;
      if (overTokens) for (let i = nt * L; i < (nt + 1) * L; i++) tokens += batch.mask_ntl[i]!;
      const steps = overTokens ? Math.max(1, tokens) : 1;
      after = power(gamma, steps - 1) * (reward_nt[nt]! + gamma * after);
      target_nt[nt] = after;
    }
  }
  return target_nt;
}

/**
 * The critic's loss over the given turns, and coef times its derivative in V.
 *
 * ```
 * loss = mean over turns of (V - target)^2 / 2
 * ```
 */
export function criticGradient(
  batch: Batch,
  value_nt: Float64Array,
  target_nt: Float64Array,
  coef: number,
  turns?: readonly number[],
): { loss: number; dValue_nt: Float64Array } {
  const [N, T] = batch.shape;
  const dValue_nt = new Float64Array(N * T);
  let count = 0;
  let loss = 0;
  forEachTurn(batch, undefined, turns, (n, t) => {
    const error = value_nt[n * T + t]! - target_nt[n * T + t]!;
    dValue_nt[n * T + t] = error;
    loss += (error * error) / 2;
    count++;
  });
  if (count === 0) return { loss: 0, dValue_nt };
  for (let i = 0; i < dValue_nt.length; i++) dValue_nt[i]! *= coef / count;
  return { loss: loss / count, dValue_nt };
}

/** 1 - Var(target - V) / Var(target) over all turns; 0 if the targets do not vary. */
export function explainedVariance(batch: Batch, value_nt: Float64Array, target_nt: Float64Array): number {
  const [, T] = batch.shape;
  const targets: number[] = [];
  const errors: number[] = [];
  forEachTurn(batch, undefined, undefined, (n, t) => {
    targets.push(target_nt[n * T + t]!);
    errors.push(target_nt[n * T + t]! - value_nt[n * T + t]!);
  });
  // The variance of equal numbers is 0 but for rounding, and dividing by that would say anything.
  return isConstant(targets) ? 0 : 1 - variance(errors) / variance(targets);
}
