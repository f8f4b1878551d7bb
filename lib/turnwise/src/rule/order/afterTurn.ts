import { expectLength } from "../../base/expect";
import type { Metrics } from "../../base/glossary";
import { clamp } from "../../base/statistics";
import { poolingRule } from "../ratio/pooling";
import { limitedExp } from "../ratio/units";
import type { Recipe } from "../recipe";
import { carryOf } from "./carries";

/** The running product of ratios of the turns already updated, by trajectory id; 1 for ids that are not there. */
export type Carry = ReadonlyMap<string, number>;

export interface AfterTurn {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly trajectoryId: readonly string[];
  /** The turns that were just updated. */
  readonly turns: readonly number[];
  readonly mask_ntl: ArrayLike<number>;
  /** Measured after the step. */
  readonly logProb_ntl: ArrayLike<number>;
  /** The old log-probs that the step used: of the rollout, or recomputed before it. */
  readonly oldLogProb_ntl: ArrayLike<number>;
  readonly carry: Carry;
}

/**
 * Multiplies every trajectory's carry by the ratio (after / before) of the turns just updated.
 *
 * ```
 * exact:    M_t = rho_t * M_{t+1}
 * clipped:  M_t = clip(clip(rho_t, low, high) * M_{t+1}, low, high)
 * product:  rho_t = exp(sum_l log-ratio)      geometric: rho_t = exp(mean_l log-ratio)
 * ```
 *
 * A turn's log-ratio and the logarithm of the product are limited to +-20 nats, as log-ratios are everywhere. The released
 * code limits its log-ratio to +-10, which its clip to [0.8, 1.2] makes idle.
 * A trajectory that does not reach the turn keeps its carry. Off, or a simultaneous order: the carry stays 1.
 *
 * @see SeeUPO, arXiv 2602.06554, Eq. 7 and 8 (exact, product); its released code (clipped to [0.8, 1.2] per
 *   turn and again after accumulation, geometric); HAPPO's factor, PKU-MARL/HARL (exact, product)
 * @throws {TypeError} if shapes do not fit
 * @throws {RangeError} if an id is not unique
 */
export function carryAfterTurn(recipe: Recipe, step: AfterTurn): { carry: Carry; metrics: Metrics } {
  const { order } = recipe;
  const choice = "carry" in order ? order.carry : undefined;
  const rule = choice && carryOf(choice);
  const pooling = rule?.pooling(choice!) ?? null;
  if (rule === undefined || choice === undefined || pooling === null)
    return { carry: step.carry, metrics: {} };
  const { averaged } = poolingRule(pooling);
  const [N, T, L] = step.shape;
  const what = "the carry of ratios";
  expectLength(what, "trajectoryId", step.trajectoryId, [N]);
  expectLength(what, "mask_ntl", step.mask_ntl, step.shape);
  expectLength(what, "logProb_ntl", step.logProb_ntl, step.shape);
  expectLength(what, "oldLogProb_ntl", step.oldLogProb_ntl, step.shape);
  if (new Set(step.trajectoryId).size !== N) {
    throw new RangeError(`Cannot compute ${what}: trajectoryId must be unique, but an id appears twice.`);
  }
  const carry = new Map(step.carry);
  const [least, most] = [limitedExp(-Infinity), limitedExp(Infinity)];
  for (let n = 0; n < N; n++) {
    const id = step.trajectoryId[n]!;
    let product = carry.get(id) ?? 1;
    for (const t of step.turns) {
      let sum = 0;
      let tokens = 0;
      for (let l = 0; l < L; l++) {
        const i = (n * T + t) * L + l;
        if (step.mask_ntl[i] !== 1) continue;
        sum += step.logProb_ntl[i]! - step.oldLogProb_ntl[i]!;
        tokens += 1;
      }
      if (tokens === 0) continue;
      const after = rule.after(choice, limitedExp(averaged ? sum / tokens : sum), product);
      product = clamp(after, least, most);
    }
    carry.set(id, product);
  }
  const values = step.trajectoryId.map((id) => carry.get(id) ?? 1);
  return {
    carry,
    metrics: { "policy/carryMin": Math.min(...values), "policy/carryMax": Math.max(...values) },
  };
}

/** M * A: every token's advantage times its trajectory's carry. */
export function carriedAdvantage(
  shape: readonly [n: number, t: number, l: number],
  advantage_ntl: ArrayLike<number>,
  trajectoryId: readonly string[],
  carry: Carry,
): Float64Array {
  expectLength("carried advantages", "advantage_ntl", advantage_ntl, shape);
  expectLength("carried advantages", "trajectoryId", trajectoryId, [shape[0]]);
  const perRow = shape[1] * shape[2];
  const carried_ntl = Float64Array.from(advantage_ntl);
  trajectoryId.forEach((id, n) => {
    const factor = carry.get(id) ?? 1;
    if (factor === 1) return;
    for (let i = n * perRow; i < (n + 1) * perRow; i++) carried_ntl[i]! *= factor;
  });
  return carried_ntl;
}
