import { tf } from "../../tensor/backend";
import type { AggregateChoice } from "../aggregate";
import { tokenWeightTensor } from "../aggregate/tokenWeightTensor";
import type { Custom } from "../custom";
import { stopGradient } from "../gate/stopGradient";
import type { LossFunction } from "./contract";
import { scalarOf } from "./scalar";
import { LossTensors, type LossParts } from "./tensors";

type Given = Omit<LossParts, "turnMask_nt">;

/** The loss of an own function as a differentiable scalar on the caller's tensors; `active` is true where a token counts. */
export function ownLossTensor(own: Custom<LossFunction>, batch: Given, active: tf.Tensor3D): tf.Scalar {
  const mask_ntl = tf.cast(active, "float32") as tf.Tensor3D;
  const turnMask_nt = tf.max(mask_ntl, 2) as tf.Tensor2D;
  const block = (x: tf.Tensor3D): tf.Tensor3D => tf.where(active, x, tf.zerosLike(x));
  const row = (x: tf.Tensor2D): tf.Tensor2D => tf.where(tf.cast(turnMask_nt, "bool"), x, tf.zerosLike(x));
  const parts: LossParts = {
    logProb_ntl: block(batch.logProb_ntl),
    oldLogProb_ntl: block(batch.oldLogProb_ntl),
    advantage_ntl: block(batch.advantage_ntl),
    mask_ntl,
    turnMask_nt,
    entropy_ntl: batch.entropy_ntl && block(batch.entropy_ntl),
    refLogProb_ntl: batch.refLogProb_ntl && block(batch.refLogProb_ntl),
    value_nt: batch.value_nt && row(batch.value_nt),
    oldValue_nt: batch.oldValue_nt && row(batch.oldValue_nt),
    valueTarget_nt: batch.valueTarget_nt && row(batch.valueTarget_nt),
  };
  const weights = (aggregate: AggregateChoice): tf.Tensor3D => tokenWeightTensor(batch.mask_ntl, aggregate);
  const detach = stopGradient as <X extends tf.Tensor>(x: X) => X;
  const x = new LossTensors(own, parts, weights, detach);
  return scalarOf(own.label, () => own.apply(tf, x));
}
