import type * as doubles from "../float64/doubles";

let module: typeof doubles | undefined;

/** Hands the library TensorFlow.js. */
export function provide(given: typeof doubles): void {
  module = given;
}

/**
 * TensorFlow.js in a bundle for pages: bundles hold it where they use `tf` or import `turnwise/tensor`, since it is as large as all
 * the rest of the library, and most of what the library does goes without it.
 */
export function tensorflow(): typeof doubles {
  if (module !== undefined) return module;
  throw new Error(
    "Cannot compute with tensors: this page's bundle must hold TensorFlow.js, but it holds none. " +
      'Write import "turnwise/tensor" where the page begins.',
  );
}
