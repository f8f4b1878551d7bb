import assert from "node:assert/strict";
import {
  isConstant,
  lessCentre,
  mean,
  median,
  standardDeviation,
  variance,
} from "turnwise/dist/base/statistics";

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

  it("takes the rounding of a sum for nothing when it subtracts a centre, and nothing more", () => {
    // The mean of .1, .2 and .3 is .20000000000000004 in doubles.
    const values = [0.1, 0.2, 0.3];
    assert.deepEqual([...lessCentre(values, mean(values))], [0.1 - mean(values), 0, 0.3 - mean(values)]);
    assert.deepEqual([...lessCentre([1, 1 + 1e-11, 2], 1)], [0, 1 + 1e-11 - 1, 1]);
    // What is noise beside a thousand is a signal by itself.
    assert.deepEqual([...lessCentre([1000, 1e-10], 0)], [1000, 0]);
    assert.deepEqual([...lessCentre([1e-10], 0)], [1e-10]);
  });
});
