import assert from "node:assert/strict";
import { bootstrapInterval, createRng } from "turnwise";

describe("bootstrapInterval()", () => {
  it("covers the true mean of a normal sample in about 95 of 100 cases", () => {
    // 400 samples of 30 standard normals: coverage of a percentile interval at n = 30 is a little below .95;
    // four standard errors of the estimate are 4 * sqrt(.05 * .95 / 400) = .044.
    const rng = createRng(3);
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const values = Array.from({ length: 30 }, () => rng.normal());
      const { low, high } = bootstrapInterval(values, { rng: rng.split("resample", i), resamples: 400 });
      if (low <= 0 && 0 <= high) covered++;
    }
    assert.ok(Math.abs(covered / 400 - 0.94) < 0.044, `coverage ${covered / 400}`);
  });

  it("takes Student's t with n - 1 degrees of freedom", () => {
    // Of five values two are 1, so a resample has k ones with chance C(5, k) .4^k .6^(5-k): at most 4 with .98976. The upper end is
    // the quantile 1 - Phi(-sqrt(5 / 4) t), with t_4(.95) = 2.1318: 1 - Phi(-2.3835) = .99143, so 5 of 5. With five degrees of freedom,
    // t_5(.95) = 2.0150, it would be 1 - Phi(-2.2529) = .98787, so 4 of 5. 200000 resamples are off by .0002.
    const { high } = bootstrapInterval([0, 0, 0, 1, 1], { level: 0.9, resamples: 200_000 });
    assert.equal(high, 1);
  });

  it("is the same every time and shrinks to the value for one seed", () => {
    const values = [1, 2, 4, 8];
    assert.deepEqual(bootstrapInterval(values), bootstrapInterval(values));
    assert.deepEqual(bootstrapInterval([5]), { mean: 5, low: 5, high: 5, n: 1 });
  });

  it("refuses empty samples, values that are not finite and levels outside (0, 1)", () => {
    assert.throws(() => bootstrapInterval([]), /values must not be empty, got none/);
    assert.throws(() => bootstrapInterval([1, NaN]), /every value must be finite, but value 1 is NaN/);
    assert.throws(() => bootstrapInterval([1, 2], { level: 1 }), /level must be in \(0, 1\), got 1/);
  });
});
