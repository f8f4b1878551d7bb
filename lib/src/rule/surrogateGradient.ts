import type { Metrics } from "../base/glossary";
import { tokenWeights } from "./aggregate/tokenWeights";
import { zeros } from "../tensor/zeros";
import { boundedRatio, clippedAt, gateBounds, NO, sapo } from "./gate/gate";
import { expectLength } from "../base/expect";
import { carriedAdvantage, type Carry } from "./order/carry";
import { logRatioLimit, unitSize } from "./ratio/units";
import type { KlEstimator, Pooling, Recipe } from "./recipe";
import { klEstimate } from "./regulariser/kl";
import { show } from "../base/show";
import { divergence, Tally } from "./tally";

export interface SurrogateInput {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly logProb_ntl: ArrayLike<number>;
  readonly oldLogProb_ntl: ArrayLike<number>;
  readonly mask_ntl: ArrayLike<number>;
  readonly advantage_ntl: ArrayLike<number>;
  /** Needed by a row with a KL to the reference policy. */
  readonly refLogProb_ntl?: ArrayLike<number>;
  /** Needed by a row with an entropy bonus; otherwise only reported. */
  readonly entropy_ntl?: ArrayLike<number>;
  /** With `trajectoryId`: multiplies each trajectory's advantage. */
  readonly carry?: Carry;
  readonly trajectoryId?: readonly string[];
  /** Token weights of a larger batch, of which these rows are a micro-batch; else `tokenWeights` of these rows. */
  readonly weight_ntl?: ArrayLike<number>;
}

export interface SurrogateGradient {
  /** To be minimised. */
  readonly loss: number;
  /** d loss / d logProb; 0 where masked and outside the turn set. */
  readonly dLogProb_ntl: Float64Array;
  /** d loss / d entropy; present when the row has an entropy bonus. */
  readonly dEntropy_ntl?: Float64Array;
  /** Derivative of the clipped-out terms, C of SORL; present when the row normalises by its norm. */
  readonly dClipBias_ntl?: Float64Array;
  readonly metrics: Metrics;
}

const what = "the surrogate gradient";

/**
 * The row's loss over the given turns and its derivative in every log-prob, in closed form.
 *
 * ```
 * loss = - sum_ntl w * gate(ratio, A) + coef * sum_ntl w * KL - entropyCoef * sum_ntl w * H
 * ```
 * with `w` from `tokenWeights`. A product ratio is the density ratio of its whole unit, so the unit enters once: each of
 * its tokens carries an equal share. In this way every choice of ratio has one and the same gradient at ratio 1 [D].
 *
 * Same value and gradient as `surrogateLoss`, in double precision and without tensors. `spent` is a derivative that nobody
 * reads any more: it may be written to instead of a new array.
 *
 * @throws TypeError when shapes do not fit or an input is missing
 */
export function surrogateGradient(
  input: SurrogateInput,
  recipe: Recipe,
  turns?: readonly number[],
  spent?: Float64Array,
): SurrogateGradient {
  const { shape, logProb_ntl } = input;
  check(input, recipe);
  const advantage_ntl = withCarry(input);
  const weight_ntl = input.weight_ntl ?? tokenWeights(shape, input.mask_ntl, recipe.aggregate);
  const active_ntl = inTurns(shape, input.mask_ntl, turns);
  const dLogProb_ntl = zeros(active_ntl.length, spent);
  const tally = new Tally(recipe);
  const clipBias_ntl =
    recipe.regulariser.clippingTriggered.kind === "gradNorm"
      ? new Float64Array(active_ntl.length)
      : undefined;

  const sums: Sums = { recipe, advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl, clipBias_ntl, tally };
  const { level } = recipe.ratio;
  let loss =
    level === "none"
      ? withoutRatio(input, sums)
      : level === "token"
        ? perToken(input, sums)
        : perUnit(input, sums, unitSize(shape, level));

  const penalty = (other: ArrayLike<number>, estimator: KlEstimator, coef: number): number => {
    let sum = 0;
    for (let i = 0; i < active_ntl.length; i++) {
      if (active_ntl[i] !== 1) continue;
      const kl = klEstimate(estimator, logProb_ntl[i]!, other[i]!);
      sum += weight_ntl[i]! * kl.value;
      dLogProb_ntl[i]! += coef * weight_ntl[i]! * kl.slope;
    }
    return coef * sum;
  };
  const { klReference, klOld, entropyCoef, clippingTriggered } = recipe.regulariser;
  if (klReference !== null) loss += penalty(input.refLogProb_ntl!, klReference.estimator, klReference.coef);
  if (klOld !== null) loss += penalty(input.oldLogProb_ntl, klOld.estimator, klOld.coef);
  if (clippingTriggered.kind === "klPenalty") {
    const coef = clippingTriggered.lambda * tally.fractionOutside();
    loss += penalty(input.oldLogProb_ntl, clippingTriggered.estimator, coef);
  }
  const dEntropy_ntl = entropyCoef === 0 ? undefined : new Float64Array(active_ntl.length);
  if (dEntropy_ntl !== undefined) {
    for (let i = 0; i < active_ntl.length; i++) {
      if (active_ntl[i] !== 1) continue;
      loss -= entropyCoef * weight_ntl[i]! * input.entropy_ntl![i]!;
      dEntropy_ntl[i] = -entropyCoef * weight_ntl[i]!;
    }
  }
  return {
    loss,
    dLogProb_ntl,
    ...(dEntropy_ntl === undefined ? {} : { dEntropy_ntl }),
    ...(clipBias_ntl === undefined ? {} : { dClipBias_ntl: clipBias_ntl }),
    metrics: { "policy/loss": loss, ...divergence(input, recipe, active_ntl), ...tally.metrics() },
  };
}

/** What the sum over tokens goes through, and what it writes. */
interface Sums {
  readonly recipe: Recipe;
  readonly advantage_ntl: ArrayLike<number>;
  readonly weight_ntl: ArrayLike<number>;
  readonly active_ntl: ArrayLike<number>;
  readonly dLogProb_ntl: Float64Array;
  readonly clipBias_ntl: Float64Array | undefined;
  readonly tally: Tally;
}

/** Each of the three returns the loss and writes its derivative. */
function withoutRatio({ logProb_ntl }: SurrogateInput, sums: Sums): number {
  const { advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl } = sums;
  let loss = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    loss -= weight_ntl[i]! * advantage_ntl[i]! * logProb_ntl[i]!;
    dLogProb_ntl[i] = -weight_ntl[i]! * advantage_ntl[i]!;
  }
  return loss;
}

/** `perUnit` for units of one cell, without what pooling needs and without an object per token: a third of its time. */
function perToken({ logProb_ntl, oldLogProb_ntl }: SurrogateInput, sums: Sums): number {
  const { recipe, advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl, clipBias_ntl, tally } = sums;
  const smooth = recipe.gate.kind === "sapo" ? recipe.gate : undefined;
  const bounds = gateBounds(recipe.gate.kind === "sapo" ? { kind: "unclipped" } : recipe.gate);
  let loss = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    const difference = logProb_ntl[i]! - oldLogProb_ntl[i]!;
    const limited = beyondLimit(difference);
    const ratio = limitedExp(difference);
    const weight = weight_ntl[i]!;
    const advantage = advantage_ntl[i]!;
    const clipped = clippedAt(bounds, ratio, advantage);
    let objective = boundedRatio(bounds, clipped, ratio) * advantage;
    let slope = clipped === NO ? advantage : 0;
    if (smooth !== undefined) ({ objective, slope } = sapo(smooth, ratio, advantage));
    loss -= weight * objective;
    const dRatio = limited ? 0 : ratio;
    dLogProb_ntl[i] = -(weight * slope) * dRatio;
    if (clipBias_ntl !== undefined && clipped !== NO) clipBias_ntl[i] = weight * advantage * dRatio;
    tally.add(ratio, limited, clipped);
  }
  return loss;
}

function perUnit(input: SurrogateInput, sums: Sums, size: number): number {
  const { recipe, advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl, clipBias_ntl, tally } = sums;
  const smooth = recipe.gate.kind === "sapo" ? recipe.gate : undefined;
  const bounds = gateBounds(recipe.gate.kind === "sapo" ? { kind: "unclipped" } : recipe.gate);
  const dRatio = new Float64Array(size);
  const unit: UnitRatio = { ratio: 1, share: 1, limited: false };
  let loss = 0;
  for (let start = 0; start < active_ntl.length; start += size) {
    if (!unitRatio(start, active_ntl, input, recipe, dRatio, unit)) continue;
    let totalSlope = 0;
    let clippedSlope = 0;
    for (let i = start; i < start + size; i++) {
      if (active_ntl[i] !== 1) continue;
      const advantage = advantage_ntl[i]!;
      const clipped = clippedAt(bounds, unit.ratio, advantage);
      let objective = boundedRatio(bounds, clipped, unit.ratio) * advantage;
      let slope = clipped === NO ? advantage : 0;
      if (smooth !== undefined) ({ objective, slope } = sapo(smooth, unit.ratio, advantage));
      const weight = weight_ntl[i]! * unit.share;
      loss -= weight * objective;
      totalSlope += weight * slope;
      if (clipped !== NO) clippedSlope += weight * advantage;
      tally.add(unit.ratio, unit.limited, clipped);
    }
    for (let i = start; i < start + size; i++) {
      if (active_ntl[i] !== 1) continue;
      dLogProb_ntl[i] = -totalSlope * dRatio[i - start]!;
      if (clipBias_ntl !== undefined) clipBias_ntl[i] = clippedSlope * dRatio[i - start]!;
    }
  }
  return loss;
}

/** Written anew for every unit: there are as many as tokens, and a new object for each would cost as much as its sums. */
interface UnitRatio {
  ratio: number;
  /** What one cell of the unit counts for: 1, or 1 / size for a product. */
  share: number;
  limited: boolean;
}

/**
 * The ratio of the unit that begins at `start`, into `unit`; d ratio / d logProb of its active cells into `dRatio`.
 *
 * @returns false when the unit has no active cell
 */
function unitRatio(
  start: number,
  active_ntl: ArrayLike<number>,
  input: SurrogateInput,
  { ratio }: Recipe,
  dRatio: Float64Array,
  unit: UnitRatio,
): boolean {
  const pooling: Pooling = ratio.level === "turn" || ratio.level === "trajectory" ? ratio.pooling : "product";
  const { logProb_ntl, oldLogProb_ntl } = input;
  let sum = 0;
  let count = 0;
  let limited = false;
  for (let k = 0; k < dRatio.length; k++) {
    const i = start + k;
    if (active_ntl[i] !== 1) continue;
    count += 1;
    const difference = logProb_ntl[i]! - oldLogProb_ntl[i]!;
    if (pooling !== "arithmetic") {
      sum += difference;
      continue;
    }
    const token = limitedExp(difference);
    sum += token;
    limited ||= beyondLimit(difference);
    dRatio[k] = beyondLimit(difference) ? 0 : token;
  }
  if (count === 0) return false;
  if (pooling === "arithmetic") {
    for (let k = 0; k < dRatio.length; k++) dRatio[k]! /= count;
    unit.ratio = sum / count;
    unit.share = 1;
    unit.limited = limited;
    return true;
  }
  const pooled = pooling === "product" ? sum : sum / count;
  const value = limitedExp(pooled);
  limited = beyondLimit(pooled);
  dRatio.fill(limited ? 0 : pooling === "product" ? value : value / count);
  unit.ratio = value;
  unit.share = pooling === "product" ? 1 / count : 1;
  unit.limited = limited;
  return true;
}

/** exp of a log-ratio within the numerical limit; beyond it, its slope is 0. */
function limitedExp(logRatio: number): number {
  if (beyondLimit(logRatio)) return Math.exp(logRatio > 0 ? logRatioLimit : -logRatioLimit);
  return Math.exp(logRatio);
}

function beyondLimit(logRatio: number): boolean {
  return Math.abs(logRatio) > logRatioLimit;
}

function inTurns(
  shape: SurrogateInput["shape"],
  mask_ntl: ArrayLike<number>,
  turns: readonly number[] | undefined,
): ArrayLike<number> {
  const [N, T, L] = shape;
  if (turns === undefined) return mask_ntl;
  const chosen_t = new Uint8Array(T);
  for (const t of turns) {
    if (!Number.isInteger(t) || t < 0 || t >= T) {
      throw new RangeError(
        `Cannot compute ${what} as turns must be whole numbers from 0 to ${String(T - 1)}: got ${show(t)}`,
      );
    }
    chosen_t[t] = 1;
  }
  if (!chosen_t.includes(0)) return mask_ntl;
  const active_ntl = new Uint8Array(N * T * L);
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < T; t++) {
      if (chosen_t[t] === 0) continue;
      const first = (n * T + t) * L;
      for (let i = first; i < first + L; i++) if (mask_ntl[i] === 1) active_ntl[i] = 1;
    }
  }
  return active_ntl;
}

function withCarry(input: SurrogateInput): ArrayLike<number> {
  if (input.carry === undefined) return input.advantage_ntl;
  if (input.trajectoryId === undefined) {
    throw new TypeError(`Cannot compute ${what} as a carry must come with trajectoryId: got no trajectoryId`);
  }
  return carriedAdvantage(input.shape, input.advantage_ntl, input.trajectoryId, input.carry);
}

function check(input: SurrogateInput, recipe: Recipe): void {
  const { shape } = input;
  expectLength(what, "logProb_ntl", input.logProb_ntl, shape);
  expectLength(what, "oldLogProb_ntl", input.oldLogProb_ntl, shape);
  expectLength(what, "mask_ntl", input.mask_ntl, shape);
  expectLength(what, "advantage_ntl", input.advantage_ntl, shape);
  if (input.weight_ntl !== undefined) expectLength(what, "weight_ntl", input.weight_ntl, shape);
  if (input.entropy_ntl !== undefined) expectLength(what, "entropy_ntl", input.entropy_ntl, shape);
  if (input.refLogProb_ntl !== undefined) expectLength(what, "refLogProb_ntl", input.refLogProb_ntl, shape);
  if (recipe.regulariser.klReference !== null && input.refLogProb_ntl === undefined) {
    throw new TypeError(
      `Cannot compute ${what} as recipe ${recipe.name} with klReference must get refLogProb_ntl: got none`,
    );
  }
  if (recipe.regulariser.entropyCoef !== 0 && input.entropy_ntl === undefined) {
    throw new TypeError(
      `Cannot compute ${what} as recipe ${recipe.name} with entropyCoef must get entropy_ntl: got none`,
    );
  }
}
