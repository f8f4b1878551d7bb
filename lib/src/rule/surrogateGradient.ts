import type { Metrics } from "../monitor/glossary";
import { tokenWeights } from "./aggregate/tokenWeights";
import { gate, type Gated } from "./gate/gate";
import { expectLength } from "./guard";
import { carriedAdvantage, type Carry } from "./order/carry";
import { logRatioLimit, unitSize } from "./ratio/units";
import type { KlEstimator, Pooling, Recipe } from "./recipe";
import { klEstimate } from "./regulariser/kl";
import { show } from "./show";

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
 * Same value and gradient as `surrogateLoss`, in double precision and without tensors.
 *
 * @throws TypeError when shapes do not fit or an input is missing
 */
export function surrogateGradient(
  input: SurrogateInput,
  recipe: Recipe,
  turns?: readonly number[],
): SurrogateGradient {
  const { shape, logProb_ntl } = input;
  check(input, recipe);
  const advantage_ntl = withCarry(input);
  const weight_ntl = input.weight_ntl ?? tokenWeights(shape, input.mask_ntl, recipe.aggregate);
  const active_ntl = inTurns(shape, input.mask_ntl, turns);
  const dLogProb_ntl = new Float64Array(active_ntl.length);
  const tally = new Tally(recipe);
  const clipBias_ntl =
    recipe.regulariser.clippingTriggered.kind === "gradNorm"
      ? new Float64Array(active_ntl.length)
      : undefined;

  let loss = 0;
  if (recipe.ratio.level === "none") {
    for (let i = 0; i < active_ntl.length; i++) {
      if (active_ntl[i] !== 1) continue;
      loss -= weight_ntl[i]! * advantage_ntl[i]! * logProb_ntl[i]!;
      dLogProb_ntl[i] = -weight_ntl[i]! * advantage_ntl[i]!;
    }
  } else if (recipe.ratio.level === "token") {
    // The loop below for units of one cell, without what pooling needs: half of the time of a step on a table.
    for (let i = 0; i < active_ntl.length; i++) {
      if (active_ntl[i] !== 1) continue;
      const difference = logProb_ntl[i]! - input.oldLogProb_ntl[i]!;
      const limited = beyondLimit(difference);
      const ratio = limitedExp(difference);
      const gated = gate(recipe.gate, ratio, advantage_ntl[i]!);
      loss -= weight_ntl[i]! * gated.objective;
      const dRatio = limited ? 0 : ratio;
      dLogProb_ntl[i] = -(weight_ntl[i]! * gated.slope) * dRatio;
      if (clipBias_ntl !== undefined && gated.clipped !== "no") {
        clipBias_ntl[i] = weight_ntl[i]! * advantage_ntl[i]! * dRatio;
      }
      tally.add(ratio, limited, gated);
    }
  } else {
    const size = unitSize(shape, recipe.ratio.level);
    const dRatio = new Float64Array(size);
    const unit: UnitRatio = { ratio: 1, share: 1, limited: false };
    for (let start = 0; start < active_ntl.length; start += size) {
      if (!unitRatio(start, active_ntl, input, recipe, dRatio, unit)) continue;
      let slope = 0;
      let clippedSlope = 0;
      for (let i = start; i < start + size; i++) {
        if (active_ntl[i] !== 1) continue;
        const gated = gate(recipe.gate, unit.ratio, advantage_ntl[i]!);
        const weight = weight_ntl[i]! * unit.share;
        loss -= weight * gated.objective;
        slope += weight * gated.slope;
        if (gated.clipped !== "no") clippedSlope += weight * advantage_ntl[i]!;
        tally.add(unit.ratio, unit.limited, gated);
      }
      for (let i = start; i < start + size; i++) {
        if (active_ntl[i] !== 1) continue;
        dLogProb_ntl[i] = -slope * dRatio[i - start]!;
        if (clipBias_ntl !== undefined) clipBias_ntl[i] = clippedSlope * dRatio[i - start]!;
      }
    }
  }

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
  active_ntl: Uint8Array,
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
  return Math.exp(Math.min(Math.max(logRatio, -logRatioLimit), logRatioLimit));
}

function beyondLimit(logRatio: number): boolean {
  return Math.abs(logRatio) > logRatioLimit;
}

/** Counts over the tokens of a step. */
class Tally {
  private cells = 0;
  private low = 0;
  private high = 0;
  private dual = 0;
  private atLimit = 0;
  private outside = 0;
  private largest = -Infinity;
  private smallest = Infinity;
  private readonly upper: number;
  private readonly lower: number;

  constructor({ gate }: Recipe) {
    const clips = gate.kind === "clip" || gate.kind === "dualClip";
    this.upper = clips ? 1 + gate.clipHigh : Infinity;
    this.lower = clips ? 1 - gate.clipLow : -Infinity;
  }

  add(ratio: number, limited: boolean, { clipped }: Gated): void {
    this.cells += 1;
    this.largest = Math.max(this.largest, ratio);
    this.smallest = Math.min(this.smallest, ratio);
    if (ratio > this.upper || ratio < this.lower) this.outside += 1;
    if (limited) this.atLimit += 1;
    if (clipped === "low") this.low += 1;
    if (clipped === "high") this.high += 1;
    if (clipped === "dual") this.dual += 1;
  }

  /** Fraction of tokens whose ratio left the clip range, whatever the sign of the advantage. */
  fractionOutside(): number {
    return this.cells === 0 ? 0 : this.outside / this.cells;
  }

  metrics(): Metrics {
    if (this.cells === 0) return {};
    return {
      "policy/clipFracLow": this.low / this.cells,
      "policy/clipFracHigh": this.high / this.cells,
      "policy/clipFracDual": this.dual / this.cells,
      "policy/fracRatioLimited": this.atLimit / this.cells,
      "policy/ratioMax": this.largest,
      "policy/ratioMin": this.smallest,
    };
  }
}

function divergence(input: SurrogateInput, recipe: Recipe, active_ntl: Uint8Array): Metrics {
  const { klReference } = recipe.regulariser;
  let tokens = 0;
  let old = 0;
  let reference = 0;
  let entropy = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    tokens += 1;
    // Samples come from the old policy: (r - 1) - log r estimates KL(old || new) without bias.
    const d = input.logProb_ntl[i]! - input.oldLogProb_ntl[i]!;
    old += Math.expm1(d) - d;
    entropy += input.entropy_ntl?.[i] ?? 0;
    if (klReference !== null) {
      reference += klEstimate(klReference.estimator, input.logProb_ntl[i]!, input.refLogProb_ntl![i]!).value;
    }
  }
  if (tokens === 0) return {};
  return {
    "policy/approxKl": old / tokens,
    ...(input.entropy_ntl === undefined ? {} : { "policy/entropy": entropy / tokens }),
    ...(klReference === null ? {} : { "policy/klReference": reference / tokens }),
  };
}

function inTurns(
  shape: SurrogateInput["shape"],
  mask_ntl: ArrayLike<number>,
  turns: readonly number[] | undefined,
): Uint8Array {
  const [N, T, L] = shape;
  const active_ntl = new Uint8Array(N * T * L);
  const chosen = turns === undefined ? undefined : new Set(turns);
  for (const t of turns ?? []) {
    if (!Number.isInteger(t) || t < 0 || t >= T) {
      throw new RangeError(
        `Cannot compute ${what} as turns must be whole numbers from 0 to ${String(T - 1)}: got ${show(t)}`,
      );
    }
  }
  for (let nt = 0; nt < N * T; nt++) {
    if (chosen && !chosen.has(nt % T)) continue;
    for (let i = nt * L; i < (nt + 1) * L; i++) if (mask_ntl[i] === 1) active_ntl[i] = 1;
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
