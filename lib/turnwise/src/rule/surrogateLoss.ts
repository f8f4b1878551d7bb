import type { Metrics } from "../base/glossary";
import { tf } from "../tensor/backend";
import { tokenWeightTensor } from "./aggregate/tokenWeightTensor";
import { choosesTokens, chosenTokens, unmoved, type ChosenTokens } from "./chosenTokens";
import { foldedOldLogProb } from "./correction/folded";
import { expectFiniteSurrogate } from "./finiteSurrogate";
import { ownLossTensor } from "./loss/ownLossTensor";
import { gateOf, type GateChoice } from "./gate";
import { boundsOf } from "./gate/gate";
import { gateTensors } from "./gateTensors";
import type { Recipe } from "./recipe";
import { klTensor } from "./regulariser/kl";
import { exactKlTensor } from "./regulariser/kl/exact";
import { penaltiesOf, type Penalty } from "./regulariser/penalties";
import { uncheckedSurrogate } from "./surrogateGradient";
import { entropyCoefOf, expectEntropies, expectPenaltyInputs, type SurrogateInput } from "./surrogateInput";

/** What `surrogateLoss` reads: a batch as tensors, with 1 in the mask where the policy sampled. */
export interface TensorBatch {
  readonly logProb_ntl: tf.Tensor3D;
  readonly oldLogProb_ntl: tf.Tensor3D;
  /** 1 = sampled by the policy; anything else takes no part. */
  readonly mask_ntl: tf.Tensor3D;
  readonly advantage_ntl: tf.Tensor3D;
  /** Weights of the row's correction. */
  readonly correction_ntl?: tf.Tensor3D;
  /** As in `SurrogateInput`. */
  readonly rolloutLogProb_ntl?: tf.Tensor3D;
  readonly refLogProb_ntl?: tf.Tensor3D;
  /** Whole distributions, N x T x L x V; needed by a row with an exact KL. */
  readonly logProb_ntlv?: tf.Tensor4D;
  readonly oldLogProb_ntlv?: tf.Tensor4D;
  readonly refLogProb_ntlv?: tf.Tensor4D;
  readonly entropy_ntl?: tf.Tensor3D;
  /** 1 where a token is of a trajectory that a teacher played; without it, none is. */
  readonly demonstration_ntl?: tf.Tensor3D;
  /** As in `SurrogateInput`. */
  readonly entropyCoef?: number;
  readonly draw_ntl?: tf.Tensor3D;
  /** What a whole loss of one's own may read besides, [N, T]: see `LossInput`. */
  readonly value_nt?: tf.Tensor2D;
  readonly oldValue_nt?: tf.Tensor2D;
  readonly valueTarget_nt?: tf.Tensor2D;
}

const what = "the surrogate loss";

/**
 * The row's loss as a differentiable scalar, written for reading: ratio, gate, aggregate, regularisers.
 *
 * ```
 * loss = - sum_ntl w * c * gate(ratio, A) + coef * sum_ntl w * KL - entropyCoef * sum_ntl w * H
 * gate "none":  ratio * A is replaced by A * log pi
 * ```
 * with `w` from `tokenWeights`, `c` from the row's correction (1 without one) and a product ratio's tokens sharing their unit (see `surrogateGradient`, the fast
 * form). All tensors are [N, T, L]; log-probs and entropies in nats. Cells whose mask is not 1 may hold NaN.
 *
 * `turns` restricts the loss to those turn indices. The caller disposes of `loss`. The gradient normalisation of
 * `clippingTriggered: gradNorm` is no part of the loss: see `clippingTriggeredScale`.
 *
 * A row with a whole loss of one's own has that loss, on tensors of whatever backend runs.
 *
 * @throws {TypeError} if shapes differ or an input that the row needs is missing
 * @throws {RangeError} if the loss or its gradient would not be finite; names the entry
 * @example
 * import { recipe, surrogateLoss, tf } from "turnwise";
 * const logProb_ntl = tf.tensor3d([[[-1, -2]]]); // one trajectory of one turn of two tokens
 * const ones = tf.onesLike(logProb_ntl);
 * const tensors = { logProb_ntl, oldLogProb_ntl: logProb_ntl, mask_ntl: ones, advantage_ntl: ones };
 * surrogateLoss(tensors, recipe("grpo")).loss.dataSync(); // => [-1]
 */
export function surrogateLoss(
  batch: TensorBatch,
  recipe: Recipe,
  turns?: readonly number[],
): { loss: tf.Scalar; metrics: Metrics } {
  check(batch, recipe);
  if (recipe.loss) {
    const own = recipe.loss;
    const loss = tf.tidy(() => {
      const { advantage_ntl: plain, correction_ntl } = batch;
      const advantage_ntl = correction_ntl === undefined ? plain : tf.mul<tf.Tensor3D>(plain, correction_ntl);
      return ownLossTensor(own, { ...batch, advantage_ntl }, activeCells(batch.mask_ntl, turns));
    });
    return { loss, metrics: measure(batch, recipe, turns, loss) };
  }
  const outside = { fraction: 0 };
  const loss = tf.tidy(() => {
    const active = activeCells(batch.mask_ntl, turns);
    const clean = (x: tf.Tensor3D): tf.Tensor3D => tf.where(active, x, tf.zerosLike(x));
    const cleanRows = (x: tf.Tensor4D): tf.Tensor =>
      tf.where(tf.tile(tf.expandDims(active, -1), [1, 1, 1, x.shape[3]]), x, tf.zerosLike(x));
    const logProb = clean(batch.logProb_ntl);
    const advantage = clean(batch.advantage_ntl);
    const weight = clean(tokenWeightTensor(batch.mask_ntl, recipe.aggregate));
    const gate = gateOf(recipe.gate);
    const folds = gate.foldsCorrection === true && batch.correction_ntl !== undefined;
    const chosen = choosesTokens(recipe) ? chosenOf(batch, recipe, turns) : undefined;
    const objectiveWeight =
      chosen?.leftOut_ntl === undefined
        ? weight
        : tf.mul(weight, tf.sub(1, tf.tensor3d(Float32Array.from(chosen.leftOut_ntl), weight.shape)));
    const total = (x: tf.Tensor): tf.Scalar => tf.sum(tf.mul(weight, x));
    const corrected = (x: tf.Tensor): tf.Tensor =>
      batch.correction_ntl && !folds ? tf.mul(clean(batch.correction_ntl), x) : x;
    const gained = (x: tf.Tensor): tf.Scalar => tf.sum(tf.mul(objectiveWeight, corrected(x)));
    const charge = ({ other, coef, kl }: Penalty): tf.Tensor => {
      const others = other === "old" ? batch.oldLogProb_ntl : batch.refLogProb_ntl;
      const whole = other === "old" ? batch.oldLogProb_ntlv : batch.refLogProb_ntlv;
      const divergence =
        kl.estimator === "exact"
          ? exactKlTensor(kl.direction, cleanRows(batch.logProb_ntlv!), cleanRows(whole!))
          : klTensor(kl, { logProb, other: clean(others!), oldLogProb: clean(batch.oldLogProb_ntl) });
      return tf.mul(coef, total(divergence));
    };

    const inTurns = tf.cast(active, "float32") as tf.Tensor3D;
    const tokens = {
      logProb,
      oldLogProb: folds ? foldedTensor(batch, recipe, active) : clean(batch.oldLogProb_ntl),
      advantage,
      active: inTurns,
      demonstration: batch.demonstration_ntl,
      rolloutLogProb: batch.rolloutLogProb_ntl && clean(batch.rolloutLogProb_ntl),
    };
    const { x, share } = gateTensors(recipe, tokens);
    let sum: tf.Tensor = tf.neg(gained(tf.mul(share, gate.tensor(recipe.gate, x))));
    if (gate.needsRatio) outside.fraction = fractionOutside(recipe.gate, x.ratio, inTurns);
    for (const penalty of penaltiesOf(recipe.regulariser, outside.fraction)) {
      sum = tf.add(sum, charge(penalty));
    }
    if (chosen !== undefined && chosen.charged.length > 0) {
      const moved = tf.sub(logProb, clean(batch.oldLogProb_ntl));
      const signs = chargeSigns(chosen, moved as tf.Tensor3D);
      // A token that is not charged may be infinitely far away, and 0 times infinity is NaN.
      const charged = tf.where(tf.notEqual(signs, 0), moved, tf.zerosLike(moved));
      sum = tf.add(sum, total(tf.mul(signs, charged)));
    }
    const entropyCoef = entropyCoefOf(batch, recipe);
    if (entropyCoef !== 0) sum = tf.sub(sum, tf.mul(entropyCoef, total(clean(batch.entropy_ntl!))));
    return sum as tf.Scalar;
  });
  return { loss, metrics: measure(batch, recipe, turns, loss) };
}

function activeCells(mask_ntl: tf.Tensor3D, turns: readonly number[] | undefined): tf.Tensor3D {
  const active = tf.equal(mask_ntl, 1) as tf.Tensor3D;
  if (turns === undefined) return active;
  const [, T] = mask_ntl.shape;
  const chosen = Array.from({ length: T }, (_, t) => (turns.includes(t) ? 1 : 0));
  return tf.logicalAnd(active, tf.cast(tf.tensor3d(chosen, [1, T, 1]), "bool")) as tf.Tensor3D;
}

/** Fraction of tokens whose ratio left the clip range; a count, so it has no gradient. */
function fractionOutside(gate: GateChoice, ratio: tf.Tensor, active: tf.Tensor3D): number {
  const { low, high } = boundsOf(gate);
  if (low === -Infinity && high === Infinity) return 0;
  return tf.tidy(() => {
    const out = tf.logicalOr(tf.greater(ratio, high), tf.less(ratio, low));
    const count = tf.sum(tf.mul(tf.cast(out, "float32"), active)).dataSync()[0]!;
    return count / Math.max(1, tf.sum(active).dataSync()[0]!);
  });
}

/** The tensors as numbers. */
function numbersOf(batch: TensorBatch): SurrogateInput {
  const { shape } = batch.logProb_ntl;
  const {
    correction_ntl,
    rolloutLogProb_ntl,
    refLogProb_ntl,
    logProb_ntlv,
    oldLogProb_ntlv,
    refLogProb_ntlv,
    entropy_ntl,
    entropyCoef,
    draw_ntl,
    value_nt,
    oldValue_nt,
    valueTarget_nt,
  } = batch;
  return {
    shape,
    logProb_ntl: batch.logProb_ntl.dataSync(),
    oldLogProb_ntl: batch.oldLogProb_ntl.dataSync(),
    mask_ntl: batch.mask_ntl.dataSync(),
    advantage_ntl: batch.advantage_ntl.dataSync(),
    ...(correction_ntl && { correction_ntl: correction_ntl.dataSync() }),
    ...(rolloutLogProb_ntl && { rolloutLogProb_ntl: rolloutLogProb_ntl.dataSync() }),
    ...(refLogProb_ntl === undefined ? {} : { refLogProb_ntl: refLogProb_ntl.dataSync() }),
    ...(logProb_ntlv && { logProb_ntlv: logProb_ntlv.dataSync() }),
    ...(oldLogProb_ntlv && { oldLogProb_ntlv: oldLogProb_ntlv.dataSync() }),
    ...(refLogProb_ntlv && { refLogProb_ntlv: refLogProb_ntlv.dataSync() }),
    ...(entropy_ntl === undefined ? {} : { entropy_ntl: entropy_ntl.dataSync() }),
    ...(entropyCoef !== undefined && { entropyCoef }),
    ...(draw_ntl && { draw_ntl: draw_ntl.dataSync() }),
    ...(value_nt && { value_nt: value_nt.dataSync() }),
    ...(oldValue_nt && { oldValue_nt: oldValue_nt.dataSync() }),
    ...(valueTarget_nt && { valueTarget_nt: valueTarget_nt.dataSync() }),
  };
}

/** The old log-probs of a gate that folds the correction into its ratio; 0 where masked. */
function foldedTensor(batch: TensorBatch, recipe: Recipe, active: tf.Tensor3D): tf.Tensor3D {
  const { shape } = batch.oldLogProb_ntl;
  const active_ntl = active.dataSync();
  const folded_ntl = foldedOldLogProb(numbersOf(batch), recipe, active_ntl);
  return tf.tensor3d(
    Float32Array.from(folded_ntl, (x, i) => (active_ntl[i] === 1 ? x : 0)),
    shape,
  );
}

function chosenOf(batch: TensorBatch, recipe: Recipe, turns: readonly number[] | undefined): ChosenTokens {
  const input = numbersOf(batch);
  return chosenTokens(input, recipe, input.advantage_ntl, activeCells(batch.mask_ntl, turns).dataSync());
}

/** What a nat of each token costs, with the sign of its distance, so that the product is |log pi - log pi_old|. */
function chargeSigns({ charged, charge }: ChosenTokens, moved: tf.Tensor3D): tf.Tensor3D {
  const signs = new Float32Array(moved.size);
  const distance = moved.dataSync();
  for (const i of charged) if (Math.abs(distance[i]!) > unmoved) signs[i] = charge * Math.sign(distance[i]!);
  return tf.tensor3d(signs, moved.shape);
}

function measure(
  batch: TensorBatch,
  recipe: Recipe,
  turns: readonly number[] | undefined,
  loss: tf.Scalar,
): Metrics {
  const input = numbersOf(batch);
  const value = loss.dataSync()[0]!;
  try {
    const { metrics, ...inDoubles } = uncheckedSurrogate(input, recipe, turns);
    expectFiniteSurrogate(what, input, {
      loss: Number.isFinite(value) ? inDoubles.loss : value,
      slopes: [inDoubles.dLogProb_ntl, inDoubles.dLogit_ntlv],
    });
    return { ...metrics, "policy/loss": value };
  } catch (error) {
    loss.dispose();
    throw error;
  }
}

/** What surrogateGradient reads and this form does not: left in a batch, it would change nothing without a word. */
const ofNumbersAlone = {
  demonstration_n: "give demonstration_ntl, 1 in each of their tokens",
  weight_ntl: "the row's aggregate weighs the tokens here",
  carry: "weigh advantage_ntl by it",
} satisfies Partial<Record<keyof SurrogateInput, string>>;

function check(batch: TensorBatch, recipe: Recipe): void {
  for (const [name, advice] of Object.entries(ofNumbersAlone))
    if (name in batch)
      throw new RangeError(`Cannot compute ${what}: ${name} is read by surrogateGradient alone; ${advice}`);
  const shape = batch.logProb_ntl.shape;
  if (shape.length !== 3) {
    throw new TypeError(
      `Cannot compute ${what} as logProb_ntl must have 3 axes: current shape is [${String(shape)}]`,
    );
  }
  for (const [name, tensor] of Object.entries(batch) as [string, tf.Tensor3D | undefined][]) {
    if (!name.endsWith("_ntl") || tensor === undefined || tensor.shape.join() === shape.join()) continue;
    throw new TypeError(
      `Cannot compute ${what} as ${name} must have shape [${shape.join(", ")}]: ` +
        `current shape is [${tensor.shape.join(", ")}]`,
    );
  }
  const own = recipe.ratio.level === "custom" ? recipe.ratio.by : (recipe.regulariser.own ?? undefined);
  if (own !== undefined) {
    throw new RangeError(
      `Cannot compute ${what} as its parts must be written on tensors: "${own.label}" is a function of numbers`,
    );
  }
  expectPenaltyInputs(what, recipe, batch);
  expectEntropies(what, recipe, batch);
}
