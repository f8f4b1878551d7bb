import type * as doubles from "../float64/doubles";

/** Loads TensorFlow.js and the backend of doubles that is built on it. */
export const tensorflow = (): typeof doubles =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  require("../float64/doubles") as typeof doubles;
