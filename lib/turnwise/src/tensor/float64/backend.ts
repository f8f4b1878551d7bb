import { tensorflow } from "#tensor/tensorflow";
import type { KernelBackend, Tensor } from "@tensorflow/tfjs-core";
import { tf } from "../backend";
import type { Float64Backend } from "./doubles";
import { doublePrecision } from "./kernels";

const name = "turnwise-float64";

let backend: Float64Backend | undefined;

function registered(): Float64Backend {
  if (backend !== undefined) return backend;
  const made = tensorflow().makeFloat64Backend();
  // Priority 0: nobody gets it who did not ask for it.
  tf.registerBackend(name, () => made, 0);
  for (const config of tf.getKernelsForBackend("cpu")) {
    const kernelFunc = doublePrecision(config.kernelName, config.kernelFunc);
    tf.registerKernel({ ...config, backendName: name, kernelFunc });
  }
  return (backend = made);
}

/**
 * Runs a function whose tensors compute in double precision, whatever backend runs otherwise.
 *
 * Elementwise functions, sums, products of matrices and whatever only moves numbers are exact to 1e-16; the rest of
 * TensorFlow.js works in single precision. `dataSync()` still returns singles: `doublesOf` reads the doubles. A constant
 * such as 0.2 counts as the decimal that was written.
 */
export function inFloat64<X>(f: () => X): X {
  const own = registered();
  const instance = tf.backend();
  if (instance === own) return f();
  const engine = tf.engine() as unknown as Switchable;
  const before = { name: tf.getBackend(), instance };
  engine[backendBefore] = before;
  switchTo(engine, { name, instance: own });
  try {
    return f();
  } finally {
    switchTo(engine, before);
    engine[backendBefore] = undefined;
  }
}

/** Key under which the kernel finds the backend to restore if V8 ends a cell in here: `finally` does not run then. */
const backendBefore = Symbol.for("turnwise.backendBefore");

interface Backend {
  readonly name: string;
  readonly instance: KernelBackend;
}

interface Switchable {
  backendName: string;
  backendInstance: KernelBackend;
  [backendBefore]?: Backend | undefined;
}

/** Does what `setBackend` does for a loaded backend, without setting up hundreds of kernels again, which takes 0.1 ms each time. */
function switchTo(engine: Switchable, to: Backend): void {
  engine.backendName = to.name;
  engine.backendInstance = to.instance;
}

/** A tensor of doubles; only within `inFloat64`. */
export function doubleTensor<T extends Tensor>(values: ArrayLike<number>, shape: readonly number[]): T {
  const own = registered();
  const array = Float64Array.from(values);
  return tf.engine().makeTensorFromTensorInfo(own.doubles(shape, array), own) as T;
}

/** The numbers of a tensor in double precision; only within `inFloat64`. */
export function doublesOf(tensor: Tensor): Float64Array {
  const own = registered();
  return Float64Array.from(own.numbers(tensor));
}

/** The same numbers as a constant: no gradient goes through it, and a derivative in what it was made of does not see it. */
export function detached<T extends Tensor>(tensor: T): T {
  const own = registered();
  own.incRef(tensor.dataId);
  const { dataId, shape, dtype } = tensor;
  return tf.engine().makeTensorFromTensorInfo({ dataId, shape, dtype }, own) as T;
}
