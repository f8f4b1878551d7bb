import assert from "node:assert/strict";
import {
  expectFinite,
  expectKnown,
  expectLength,
  expectWhole,
  expectWithin,
} from "turnwise/internal/base/expect";

describe("guards", () => {
  it("accept what fits", () => {
    expectLength("x", "a", [1, 2, 3, 4, 5, 6], [2, 3]);
    expectFinite("x", "a", [1, 2]);
    expectFinite("x", "a", [1, NaN], 1);
    expectWithin("x", "a", 1, 0, 1);
    expectWhole("train", "groups", 1, 1);
  });

  it("say what could not be done, what must hold, and the current value", () => {
    assert.throws(() => expectLength("the loss", "mask_ntl", [1, 2], [2, 3]), {
      name: "TypeError",
      message: "Cannot compute the loss: mask_ntl must have 6 (2 x 3) entries, got 2.",
    });
    assert.throws(() => expectFinite("the loss", "reward", [1, Infinity]), {
      name: "RangeError",
      message: "Cannot compute the loss: reward must be finite, but entry 1 is Infinity.",
    });
    assert.throws(() => expectWithin("the loss", "gamma", NaN, 0, 1), {
      name: "RangeError",
      message: "Cannot compute the loss: gamma must be from 0 to 1, got NaN.",
    });
    assert.throws(() => expectWhole("train", "groups", 1.5, 1), {
      name: "RangeError",
      message: "Cannot train: groups must be an integer >= 1, got 1.5.",
    });
  });

  it("refuse an unknown option, with the nearest known one, and leave out what is undefined", () => {
    expectKnown("draw", { title: "x", metrics: undefined }, ["title", "metric"]);
    assert.throws(() => expectKnown("draw", { titel: "x" }, ["title", "metric"]), {
      name: "RangeError",
      message: 'Cannot draw: unknown option "titel".\nDid you mean "title"?',
    });
  });
});
