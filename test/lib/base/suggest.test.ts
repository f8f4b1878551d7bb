import assert from "node:assert/strict";
import { didYouMean, nearest } from "turnwise/internal/base/suggest";

describe("suggestions for misspelled names", () => {
  const known = ["groups", "groupSize", "seed", "env"];

  it("finds the name that takes the fewest edits, whatever the case", () => {
    assert.equal(nearest("group_size", known), "groupSize");
    assert.equal(nearest("GROUPSIZE", known), "groupSize");
    assert.equal(nearest("sed", known), "seed");
  });

  it("stays silent where nothing is close", () => {
    assert.equal(nearest("learningRate", known), undefined);
    // Two edits turn "env" into "e": half of its letters, rounded up. Three turn it into "xyz".
    assert.equal(nearest("xyz", ["env"]), undefined);
  });

  it("ends an error message with a question, or with nothing", () => {
    assert.equal(didYouMean("gropus", known), '\nDid you mean "groups"?');
    assert.equal(didYouMean("learningRate", known), "");
  });
});
