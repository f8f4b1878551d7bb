import { tf } from "../../tensor/backend";
import { aggregateOf, type AggregateChoice } from "./index";

/** `tokenWeights` on tensors: the same table, written with sums over axes. */
export function tokenWeightTensor(mask_ntl: tf.Tensor3D, aggregate: AggregateChoice): tf.Tensor3D {
  return tf.tidy(() => {
    const mask = tf.cast(tf.equal(mask_ntl, 1), "float32");
    const any = (x: tf.Tensor): tf.Tensor => tf.cast(tf.greater(x, 0), "float32");
    const tokens_nt1 = tf.sum(mask, [2], true);
    const tokens_n11 = tf.sum(mask, [1, 2], true);
    const denominator = aggregateOf(aggregate).tensor(aggregate, {
      shape: mask_ntl.shape,
      mask,
      tokens_nt1,
      tokens_n11,
      turns_nt1: any(tokens_nt1),
      rows: tf.sum(any(tokens_n11)),
    });
    return tf.divNoNan(mask, tf.mul(denominator, tf.onesLike(mask))) as tf.Tensor3D;
  });
}
