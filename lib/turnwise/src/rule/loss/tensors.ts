import { tf } from "../../tensor/backend";
import type { AggregateChoice } from "../aggregate";
import type { Custom } from "../custom/custom";
import type { LossFunction, LossInput } from "./contract";
import { refusal } from "./refusal";

/** The tensors that a loss may ask for; those that the caller does not have are missing. */
export interface LossParts {
  readonly logProb_ntl: tf.Tensor3D;
  readonly oldLogProb_ntl: tf.Tensor3D;
  readonly advantage_ntl: tf.Tensor3D;
  readonly mask_ntl: tf.Tensor3D;
  readonly turnMask_nt: tf.Tensor2D;
  readonly entropy_ntl?: tf.Tensor3D | undefined;
  readonly refLogProb_ntl?: tf.Tensor3D | undefined;
  readonly value_nt?: tf.Tensor2D | undefined;
  readonly oldValue_nt?: tf.Tensor2D | undefined;
  readonly valueTarget_nt?: tf.Tensor2D | undefined;
}

const head =
  'a policy with a value head, as policy: { valueHead: true } makes one, and as rules with advantage "gae" have it';

/** Source of each input that a loss may miss; completes "... must come from". */
const sources = {
  entropy_ntl: "the caller's entropy_ntl",
  refLogProb_ntl: "a reference policy, or the caller's refLogProb_ntl",
  value_nt: head,
  oldValue_nt: head,
  valueTarget_nt: head,
} as const;

const readers = new WeakSet<Custom>();

/** Whether a loss has ever asked for the log-probs of the reference policy. */
export const readsReference = (own: Custom): boolean => readers.has(own);

/** Inputs of a loss, made of its tensors. */
export class LossTensors implements LossInput {
  readonly shape: readonly [n: number, t: number, l: number];
  readonly logProb_ntl: tf.Tensor3D;
  readonly oldLogProb_ntl: tf.Tensor3D;
  readonly advantage_ntl: tf.Tensor3D;
  readonly mask_ntl: tf.Tensor3D;
  readonly turnMask_nt: tf.Tensor2D;

  constructor(
    private readonly own: Custom<LossFunction>,
    private readonly parts: LossParts,
    /** `tokenWeights` of the whole minibatch. */
    private readonly weights: (aggregate: AggregateChoice) => tf.Tensor3D,
    readonly stopGradient: <X extends tf.Tensor>(x: X) => X,
  ) {
    this.shape = parts.logProb_ntl.shape;
    this.logProb_ntl = parts.logProb_ntl;
    this.oldLogProb_ntl = parts.oldLogProb_ntl;
    this.advantage_ntl = parts.advantage_ntl;
    this.mask_ntl = parts.mask_ntl;
    this.turnMask_nt = parts.turnMask_nt;
  }

  get entropy_ntl(): tf.Tensor3D {
    return this.#has("entropy_ntl", this.parts.entropy_ntl);
  }

  get refLogProb_ntl(): tf.Tensor3D {
    readers.add(this.own);
    return this.#has("refLogProb_ntl", this.parts.refLogProb_ntl);
  }

  get value_nt(): tf.Tensor2D {
    return this.#has("value_nt", this.parts.value_nt);
  }

  get oldValue_nt(): tf.Tensor2D {
    return this.#has("oldValue_nt", this.parts.oldValue_nt);
  }

  get valueTarget_nt(): tf.Tensor2D {
    return this.#has("valueTarget_nt", this.parts.valueTarget_nt);
  }

  readonly tokenMean = (x_ntl: tf.Tensor): tf.Scalar =>
    this.#weighted(x_ntl, { kind: "tokenMean", per: "batch" });

  readonly sequenceMean = (x_ntl: tf.Tensor): tf.Scalar =>
    this.#weighted(x_ntl, { kind: "sequenceMeanTokenMean", per: "batch" });

  readonly turnMean = (x_nt: tf.Tensor): tf.Scalar => this.maskedMean(x_nt, this.turnMask_nt) as tf.Scalar;

  readonly maskedMean = (x: tf.Tensor, mask: tf.Tensor, axes?: readonly number[]): tf.Tensor => {
    const over = axes && [...axes];
    const sum = (of: tf.Tensor): tf.Tensor => tf.sum(of, over, over !== undefined);
    return tf.div(sum(kept(x, mask)), tf.maximum(sum(mask), 1));
  };

  #weighted(x_ntl: tf.Tensor, aggregate: AggregateChoice): tf.Scalar {
    return tf.sum(tf.mul(this.weights(aggregate), kept(x_ntl, this.mask_ntl)));
  }

  #has<X>(name: keyof typeof sources, part: X | undefined): X {
    if (part !== undefined) return part;
    throw refusal(this.own.label, `${name} must come from ${sources[name]}, but there is none.`, TypeError);
  }
}

/** The entries under the mask; the others are 0, whatever was made of them, and so is their derivative. */
function kept(x: tf.Tensor, mask: tf.Tensor): tf.Tensor {
  const whole = x.shape.join() === mask.shape.join() ? x : tf.mul(x, tf.onesLike(mask));
  const under = tf.customGrad((y) => ({
    value: tf.where(tf.cast(mask, "bool"), y as tf.Tensor, tf.zerosLike(mask)),
    gradFunc: (dy: tf.Tensor) => tf.mul(dy, mask),
  }));
  return under(whole);
}
