import type { Tensor } from "@tensorflow/tfjs-core";
import { tf } from "../backend";

/** Runs a function and disposes of every tensor that it made; unlike `tf.tidy`, for results that are no tensors. */
export function tidied<X>(f: () => X): X {
  let result!: X;
  tf.tidy(() => {
    result = f();
  });
  return result;
}

/**
 * A number on a tensor, and its derivative in each of the given tensors; undefined where it does not depend on one, or where
 * none was given. Call it within `tf.tidy`.
 */
export function derivatives<Y extends Tensor>(
  f: () => Y,
  in_: readonly (Tensor | undefined)[],
  dy?: Tensor,
): { readonly value: Y; readonly gradients: readonly (Tensor | undefined)[] } {
  const given = in_.filter((one) => one !== undefined);
  const engine = tf.engine();
  try {
    const { value, grads } = engine.gradients(f, given, dy as Tensor, true);
    const found = grads as (Tensor | undefined)[];
    return { value: value as Y, gradients: in_.map((one) => one && found[given.indexOf(one)]) };
  } catch (error) {
    // What the forward pass had saved for the backward pass is kept until that has run.
    const { state } = engine;
    if (state.gradientDepth === 0) {
      for (const { saved = [] } of state.activeTape ?? []) for (const one of saved) one.dispose();
      state.activeTape = [];
    }
    throw error;
  }
}
