/** Replacement of TensorFlow.js and of the compiled kernels in the page about logs, which computes no network. */

const refusal = (): never => {
  throw new RangeError("Cannot compute a network in this page: it has none of TensorFlow.js.");
};

export const tf = new Proxy({}, { get: refusal });
export const makeFloat64Backend = refusal;
export const kernelSource = "";
export const binary = "";
export const relaxedBinary = "";
