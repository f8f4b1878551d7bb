import assert from "node:assert/strict";
import { median } from "turnwise";
import { isConstant, mean, standardDeviation, variance } from "turnwise/internal/base/statistics";

describe("statistics", () => {
  it("computes mean, variance and standard deviation as by hand", () => {
    // Mean (1 + 2 + 6) / 3 = 3; squared distances 4 + 1 + 9 = 14.
    assert.equal(mean([1, 2, 6]), 3);
    assert.equal(variance([1, 2, 6]), 14 / 3);
    assert.equal(standardDeviation([1, 2, 6], true), Math.sqrt(7));
    assert.equal(standardDeviation([1, 2, 6], false), Math.sqrt(14 / 3));
  });

  it("takes the middle value, or the mean of the two middle ones, and leaves the list as it was", () => {
    const values = [3, 1, 2];
    assert.equal(median(values), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.deepEqual(values, [3, 1, 2]);
  });

  it("calls numbers constant up to the rounding of a sum, and no further", () => {
    assert.equal(isConstant([0.3, 0.1 + 0.2]), true);
    assert.equal(isConstant([1, 1 + 1e-11]), false);
    assert.equal(isConstant([]), false);
  });
});
