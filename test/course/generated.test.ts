import assert from "node:assert/strict";
import { artifactsOf, itIsCurrent, unknownSources } from "./generated.js";

describe("generated files", function () {
  this.timeout(300_000);

  it("that are checked elsewhere, being slow to make, are among those that are generated", () => {
    assert.deepEqual(unknownSources(), []);
  });

  artifactsOf("test").forEach(itIsCurrent);
});
