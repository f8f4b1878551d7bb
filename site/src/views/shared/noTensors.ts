/**
 * Replacement of TensorFlow.js in the workers of views: tables train without it, and it is a third of the library.
 *
 * Stands for lib/turnwise/src/tensor/backends/tf.ts and float64/doubles.ts.
 */
const refuse = (): never => {
  throw new RangeError(
    "Cannot compute this in a page without a notebook: the rule must do without TensorFlow.js. A notebook of the course runs it.",
  );
};

export const tf = new Proxy<Record<PropertyKey, unknown>>({}, { get: refuse });
export const makeFloat64Backend = refuse;
