import { tf } from "../../tensor/backend";

/** The same tensor as a constant: no gradient goes through it. */
export const stopGradient = (x: tf.Tensor): tf.Tensor => constantOf((y) => y.clone(), x);

/** What a function makes of tensors, as a constant: none of its operations needs a gradient. */
export function constantOf(f: (...inputs: tf.Tensor[]) => tf.Tensor, ...inputs: tf.Tensor[]): tf.Tensor {
  const constant = tf.customGrad((...given) => {
    const tensors = given.slice(0, inputs.length) as tf.Tensor[];
    return { value: f(...tensors), gradFunc: () => tensors.map((x) => tf.zerosLike(x)) };
  });
  return constant(...inputs);
}
