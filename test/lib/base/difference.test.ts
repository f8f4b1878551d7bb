import assert from "node:assert/strict";
import { createRng, difference } from "turnwise";

describe("difference()", () => {
  it("is the difference of the means, with an interval that holds it", () => {
    // (1 + 3) / 2 - (0 + 1) / 2 = 1.5
    // s^2 = 2 / 2 + .5 / 2 = 1.25 with 1.25^2 / (1^2 / 1 + .25^2 / 1) = 1.4706 degrees of freedom, whose quantile is 6.161.
    const d = difference([1, 3], [0, 1]);
    assert.equal(d.mean, 1.5);
    assert.ok(Math.abs(d.high - 1.5 - 6.161 * Math.sqrt(1.25)) < 0.05, String(d.high));
    assert.ok(Math.abs(d.high + d.low - 3) < 1e-12);
  });

  it("is Welch's t interval as tables have it", () => {
    // Both n = 5, s^2 = 2.5 each: standard error 1, 8 degrees of freedom, t = 2.306004.
    const d = difference([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]);
    assert.ok(Math.abs(d.low - (5 - 2.306004)) < 1e-6, String(d.low));
    // Pairs: differences 1, 2, 3, mean 2, standard error 1 / sqrt 3, t = 4.302653 for 2 degrees of freedom.
    const paired = difference([2, 4, 6], [1, 2, 3], { paired: true });
    assert.ok(Math.abs(paired.high - (2 + 4.302653 / Math.sqrt(3))) < 1e-6, String(paired.high));
    // A level of .99 for 8 degrees of freedom: t = 3.355387.
    assert.ok(
      Math.abs(difference([6, 7, 8, 9, 10], [1, 2, 3, 4, 5], { level: 0.99 }).high - 8.355387) < 1e-6,
    );
  });

  it("refuses samples that say nothing", () => {
    assert.throws(() => difference([], [1]), /values must not be empty, got none/);
    assert.throws(() => difference([1], [1, NaN]), /every value must be finite, but value 1 is NaN/);
    assert.throws(() => difference([1], [1], { level: 1 }), /level must be in \(0, 1\), got 1/);
  });

  it("excludes 0 for samples that are apart and holds it for samples of one source in about 95 of 100 cases", () => {
    const rng = createRng(5);
    const sample = (center: number): number[] => Array.from({ length: 25 }, () => center + rng.normal());
    assert.ok(difference(sample(2), sample(0)).low > 0);
    let held = 0;
    for (let i = 0; i < 300; i++) {
      const d = difference(sample(0), sample(0));
      if (d.low <= 0 && 0 <= d.high) held++;
    }
    // Four standard errors: 4 * sqrt(.05 * .95 / 300) = .05.
    assert.ok(Math.abs(held / 300 - 0.95) < 0.05, `held in ${held} of 300`);
  });

  it("pairs by index when told, so that what the pairs share cancels", () => {
    const d = difference([10, 20, 30], [9, 19, 29], { paired: true });
    assert.deepEqual([d.mean, d.low, d.high], [1, 1, 1]);
    assert.throws(() => difference([1, 2], [1], { paired: true }), /must have the same length, got 2 and 1/);
  });
});
