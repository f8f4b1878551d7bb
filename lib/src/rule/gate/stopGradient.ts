import { tf } from "../../tensor/backend";

/** The same tensor as a constant: no gradient goes through it. */
export function stopGradient(x: tf.Tensor): tf.Tensor {
  const constant = tf.customGrad((y) => ({
    value: (y as tf.Tensor).clone(),
    gradFunc: (dy: tf.Tensor) => tf.zerosLike(dy),
  }));
  return constant(x);
}
