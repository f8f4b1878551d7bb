import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { greedy } from "turnwise/internal/rollout/greedy";

describe("greedy()", () => {
  it("takes the likeliest entry, and the first of several that are equal, wherever they stand", () => {
    const rng = greedy(createRng(0));
    assert.equal(rng.categorical([-2, -0.5, -1]), 1);
    assert.equal(rng.categorical([-1, -0.5, -0.5, -2]), 1);
    assert.equal(rng.categorical([-1, -1, -1]), 0);
    assert.equal(rng.categorical([-3, -1, -2, -1]), 1);
    assert.equal(rng.categorical([-Infinity, -Infinity]), 0);
    assert.equal(rng.split("turn", 1).categorical([-0.7, -0.7]), 0);
  });

  it("draws all else as the generator that it is made of", () => {
    const [plain, other] = [createRng(3), greedy(createRng(3))];
    assert.deepEqual([other.next(), other.below(10)], [plain.next(), plain.below(10)]);
  });
});
