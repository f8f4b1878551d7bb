import assert from "node:assert/strict";
import { shown } from "turnwise/internal/verdict/words";

describe("shown()", () => {
  it("writes an interval with the digits that are asked for", () => {
    assert.equal(shown({ mean: 0.5, low: 0.25, high: 1 }), "0.500 [0.250, 1.000]");
    assert.equal(shown({ mean: 0.5, low: 0.25, high: 1 }, 1), "0.5 [0.3, 1.0]");
  });
});
