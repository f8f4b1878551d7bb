import assert from "node:assert/strict";
import { createRng, difference } from "turnwise";

describe("difference()", () => {
  it("is the difference of the means, with an interval that holds it", () => {
    // (1 + 3) / 2 - (0 + 1) / 2 = 1.5
    const d = difference([1, 3], [0, 1]);
    assert.equal(d.mean, 1.5);
    assert.ok(d.low <= 1.5 && 1.5 <= d.high);
    // The largest resampled difference is 3 - 0, the smallest 1 - 1.
    assert.ok(d.low >= 0 && d.high <= 3);
  });

  it("excludes 0 for samples that are apart and holds it for samples of one source in about 95 of 100 cases", () => {
    const rng = createRng(5);
    const sample = (centre: number): number[] => Array.from({ length: 25 }, () => centre + rng.normal());
    assert.ok(difference(sample(2), sample(0)).low > 0);
    let held = 0;
    for (let i = 0; i < 300; i++) {
      const d = difference(sample(0), sample(0), { resamples: 300, rng: rng.split("d", i) });
      if (d.low <= 0 && 0 <= d.high) held++;
    }
    // Four standard errors: 4 * sqrt(.05 * .95 / 300) = .05; the percentile interval is slightly narrow at n = 25.
    assert.ok(Math.abs(held / 300 - 0.94) < 0.05, `held in ${held} of 300`);
  });

  it("pairs by index when told, so that what the pairs share cancels", () => {
    const d = difference([10, 20, 30], [9, 19, 29], { paired: true });
    assert.deepEqual([d.mean, d.low, d.high], [1, 1, 1]);
    assert.throws(() => difference([1, 2], [1], { paired: true }), /must have the same length: 2 and 1/);
  });
});
