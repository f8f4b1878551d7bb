import { describeCompiled, describeNative } from "./benches.js";

describe("many random calls", () => {
  describeNative(60, 11);
  describeCompiled(40, 12);
});
