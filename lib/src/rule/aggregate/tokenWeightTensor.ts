import { tf } from "../../tensor/backend";
import type { AggregateChoice } from "../recipe";

/** `tokenWeights` on tensors: the same table, written with sums over axes. */
export function tokenWeightTensor(mask_ntl: tf.Tensor3D, aggregate: AggregateChoice): tf.Tensor3D {
  return tf.tidy(() => {
    const [N, T, L] = mask_ntl.shape;
    const mask = tf.cast(tf.equal(mask_ntl, 1), "float32");
    const any = (x: tf.Tensor): tf.Tensor => tf.cast(tf.greater(x, 0), "float32");
    const over = (x: tf.Tensor): tf.Tensor3D =>
      tf.divNoNan(mask, tf.mul(x, tf.onesLike(mask))) as tf.Tensor3D;
    const M_nt1 = tf.sum(mask, [2], true);
    const M_n11 = tf.sum(mask, [1, 2], true);
    const rows = tf.sum(any(M_n11));
    switch (aggregate.kind) {
      case "tokenMean":
        return over(aggregate.per === "batch" ? tf.sum(mask) : tf.sum(mask, [0, 2], true));
      case "sequenceMeanTokenMean":
        return over(
          aggregate.per === "batch" ? tf.mul(rows, M_n11) : tf.mul(tf.sum(any(M_nt1), [0], true), M_nt1),
        );
      case "turnMean": {
        const turns_n11 = tf.sum(any(M_nt1), [1], true);
        const turns = aggregate.over === "trajectory" ? tf.mul(rows, turns_n11) : tf.sum(turns_n11);
        return over(tf.mul(turns, M_nt1));
      }
      case "constant":
        return tf.div(mask, N * (aggregate.length === "maximum" ? T * L : aggregate.length));
    }
  });
}
