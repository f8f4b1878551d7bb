import type { Metrics } from "../../base/glossary";
import { tf } from "../../tensor/backend";
import { expectFiniteSurrogate } from "./finiteSurrogate";
import type { Recipe } from "../recipe";
import { uncheckedSurrogate, type SurrogateGradient } from "./surrogateGradient";
import { expectEntropies, expectPenaltyInputs, type SurrogateInput } from "./surrogateInput";

/** Input of `surrogateLoss`: a batch as tensors, with 1 in the mask where the policy sampled. */
export interface TensorBatch {
  readonly logProb_ntl: tf.Tensor3D;
  readonly oldLogProb_ntl: tf.Tensor3D;
  /** 1 = sampled by the policy; anything else takes no part. */
  readonly mask_ntl: tf.Tensor3D;
  readonly advantage_ntl: tf.Tensor3D;
  /** Weights of the rule's correction. */
  readonly correction_ntl?: tf.Tensor3D;
  /** As in `SurrogateInput`. */
  readonly rolloutLogProb_ntl?: tf.Tensor3D;
  readonly refLogProb_ntl?: tf.Tensor3D;
  /** Whole distributions, N x T x L x V; needed by a rule with an exact KL. */
  readonly logProb_ntlv?: tf.Tensor4D;
  readonly oldLogProb_ntlv?: tf.Tensor4D;
  readonly refLogProb_ntlv?: tf.Tensor4D;
  readonly entropy_ntl?: tf.Tensor3D;
  /** 1 where a token is of a trajectory that a teacher played; without it, none is. */
  readonly demonstration_ntl?: tf.Tensor3D;
  /** As in `SurrogateInput`. */
  readonly entropyCoef?: number;
  readonly draw_ntl?: tf.Tensor3D;
  /** Further inputs of a custom loss, [N, T]: see `LossInput`. */
  readonly value_nt?: tf.Tensor2D;
  readonly oldValue_nt?: tf.Tensor2D;
  readonly valueTarget_nt?: tf.Tensor2D;
  /** As in `SurrogateInput`. */
  readonly standing_nt?: tf.Tensor2D;
}

const what = "the surrogate loss";

/**
 * The rule's loss as a differentiable scalar: `surrogateGradient` as one operation of TensorFlow.js, with its gradient.
 *
 * The operation's inputs are log-probs and, where the rule reads them, entropies, values and the log-probs of whole
 * distributions, which must be a (log-)softmax of what the gradient is taken in. All tensors are [N, T, L] unless their name
 * says otherwise; log-probs and entropies in nats. Cells whose mask is not 1 may hold NaN. There is no second derivative.
 *
 * `turns` restricts the loss to those turn indices. The caller disposes of `loss`. The gradient normalization of
 * `clippingTriggered: gradNorm` is no part of the loss: see `clippingTriggeredScale`.
 *
 * @throws {TypeError} if shapes differ or an input that the rule needs is missing
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
  const input = numbersOf(batch);
  // Outside of the operation: within one, TensorFlow.js would not differentiate a custom loss.
  const found = uncheckedSurrogate(input, recipe, turns);
  const value = Math.fround(found.loss);
  expectFiniteSurrogate(what, input, {
    loss: Number.isFinite(value) ? found.loss : value,
    slopes: [found.dLogProb_ntl, found.dEntropy_ntl, found.dLogit_ntlv, found.dValue_nt],
  });
  const slopes = slopesOf(batch, found);
  const operation = tf.customGrad(() => ({
    value: tf.scalar(value),
    gradFunc: (dy: tf.Tensor) =>
      slopes.map(({ of, slope }) => tf.mul(dy, tf.tensor(Float32Array.from(slope), of.shape))),
  }));
  const loss = operation(...slopes.map(({ of }) => of)) as tf.Scalar;
  return { loss, metrics: { ...found.metrics, "policy/loss": value } };
}

interface Slope {
  readonly of: tf.Tensor;
  readonly slope: Float64Array;
}

/** The tensors that the loss depends on, with its derivative in each. */
function slopesOf(batch: TensorBatch, found: SurrogateGradient): Slope[] {
  const { dLogProb_ntl, dEntropy_ntl, dValue_nt, dLogit_ntlv } = found;
  return [
    { of: batch.logProb_ntl, slope: dLogProb_ntl },
    ...(dEntropy_ntl ? [{ of: batch.entropy_ntl!, slope: dEntropy_ntl }] : []),
    ...(dValue_nt ? [{ of: batch.value_nt!, slope: dValue_nt }] : []),
    // A derivative in logits sums to 0 over the vocabulary, so a log-softmax, which it goes through, leaves it as it is.
    ...(dLogit_ntlv ? [{ of: batch.logProb_ntlv!, slope: dLogit_ntlv }] : []),
  ];
}

const optional = [
  ...(["correction_ntl", "rolloutLogProb_ntl", "refLogProb_ntl", "entropy_ntl", "draw_ntl"] as const),
  ...(["logProb_ntlv", "oldLogProb_ntlv", "refLogProb_ntlv"] as const),
  ...(["value_nt", "oldValue_nt", "valueTarget_nt", "standing_nt"] as const),
];

/** The tensors as numbers. */
function numbersOf(batch: TensorBatch): SurrogateInput {
  const { demonstration_ntl, entropyCoef } = batch;
  const given = optional.flatMap((name) => {
    const tensor = batch[name];
    return tensor === undefined ? [] : [[name, tensor.dataSync()] as const];
  });
  const mask_ntl = batch.mask_ntl.dataSync();
  return {
    shape: batch.logProb_ntl.shape,
    logProb_ntl: batch.logProb_ntl.dataSync(),
    oldLogProb_ntl: batch.oldLogProb_ntl.dataSync(),
    mask_ntl,
    advantage_ntl: batch.advantage_ntl.dataSync(),
    ...Object.fromEntries(given),
    ...(entropyCoef !== undefined && { entropyCoef }),
    ...(demonstration_ntl && { demonstration_n: shownTrajectories(demonstration_ntl, mask_ntl) }),
  };
}

/** 1 for each trajectory whose sampled tokens are all of a demonstration. */
function shownTrajectories(demonstration_ntl: tf.Tensor3D, mask_ntl: ArrayLike<number>): Uint8Array {
  const [N, T, L] = demonstration_ntl.shape;
  const shown_ntl = demonstration_ntl.dataSync();
  const size = T * L;
  return Uint8Array.from({ length: N }, (_, n) => {
    const tokens = Array.from({ length: size }, (_, k) => n * size + k).filter((i) => mask_ntl[i] === 1);
    const shown = tokens.filter((i) => shown_ntl[i] === 1).length;
    if (shown !== 0 && shown !== tokens.length) {
      throw new RangeError(
        `Cannot compute ${what}: demonstration_ntl must be the same for all sampled tokens of a trajectory, ` +
          `but it is 1 for ${shown} of the ${tokens.length} tokens of trajectory ${n}.`,
      );
    }
    return shown === 0 ? 0 : 1;
  });
}

/** Inputs that only surrogateGradient reads: this form would silently ignore them. */
const ofNumbersAlone = {
  demonstration_n: "Give demonstration_ntl, 1 for each token of a demonstration.",
  weight_ntl: "Here the aggregate of the rule weights the tokens.",
  carry: "Multiply advantage_ntl by it.",
} satisfies Partial<Record<keyof SurrogateInput, string>>;

function check(batch: TensorBatch, recipe: Recipe): void {
  for (const [name, advice] of Object.entries(ofNumbersAlone))
    if (name in batch)
      throw new RangeError(`Cannot compute ${what}: only surrogateGradient reads ${name}. ${advice}`);
  const shape = batch.logProb_ntl.shape;
  if (shape.length !== 3) {
    throw new TypeError(`Cannot compute ${what}: logProb_ntl must have 3 axes, got [${String(shape)}].`);
  }
  for (const [name, tensor] of Object.entries(batch) as [string, tf.Tensor3D | undefined][]) {
    if (!name.endsWith("_ntl") || tensor === undefined || tensor.shape.join() === shape.join()) continue;
    throw new TypeError(
      `Cannot compute ${what}: ${name} must have shape [${shape.join(", ")}], ` +
        `got [${tensor.shape.join(", ")}].`,
    );
  }
  expectPenaltyInputs(what, recipe, batch);
  expectEntropies(what, recipe, batch);
}
