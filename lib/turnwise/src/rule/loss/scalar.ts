import { show } from "../../base/show";
import { tf } from "../../tensor/backend";
import { refusal, thrownBy } from "./refusal";

/** Calls a loss and takes nothing but one number on a tensor. */
export function scalarOf(label: string, call: () => unknown): tf.Scalar {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    throw thrownBy(label, error);
  }
  const y = expectTensor(label, result);
  if (y.rank !== 0) {
    throw refusal(
      label,
      `it must return one number, such as x.tokenMean(...), got [${y.shape.join(", ")}].`,
      TypeError,
    );
  }
  return y as tf.Scalar;
}

/** The tensor that a custom function returned. */
export function expectTensor(label: string, result: unknown, what?: string): tf.Tensor {
  if (isPromise(result)) {
    throw refusal(
      label,
      "it must return its tensor at once, got a Promise. Leave out async.",
      TypeError,
      what,
    );
  }
  if (!(result instanceof tf.Tensor)) {
    throw refusal(label, `it must return a tensor, got ${show(result)}.`, TypeError, what);
  }
  if (result.isDisposed) {
    throw refusal(label, "the tensor that it returns must stay alive, but it was disposed.", TypeError, what);
  }
  return result;
}

const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
