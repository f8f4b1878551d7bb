import assert from "node:assert/strict";
import { above0, inCases, reproduces, shown } from "turnwise/dist/study/verdict";

describe("verdicts of studies", () => {
  it("call a difference above 0 when its whole interval is, and tell an interval below 0 from one that contains it", () => {
    const told = { then: "holds only if it rains", below: "not reproduced: it is worse" } as const;
    assert.equal(above0({ low: 0.01, high: 0.2 }), "holds");
    assert.equal(above0({ low: 0.01, high: 0.2 }, told), "holds only if it rains");
    assert.equal(above0({ low: 0, high: 0.2 }, told), "not reproduced: the interval contains 0");
    assert.equal(above0({ low: -0.2, high: 0 }, told), "not reproduced: the interval contains 0");
    assert.equal(above0({ low: -0.2, high: -0.01 }, told), "not reproduced: it is worse");
    assert.equal(above0({ low: -0.2, high: -0.01 }), "not reproduced: the interval contains 0");
  });

  it("name the cases in which a claim holds, unless it holds in all or in none", () => {
    const only = (names: readonly string[]): string => `it is ${names.join(" or ")}`;
    assert.equal(
      inCases(
        [
          ["a", true],
          ["b", true],
        ],
        only,
      ),
      "holds",
    );
    assert.equal(
      inCases(
        [
          ["a", true],
          ["b", false],
        ],
        only,
      ),
      "holds only if it is a",
    );
    assert.equal(
      inCases(
        [
          ["a", false],
          ["b", false],
        ],
        only,
      ),
      "not reproduced",
    );
    assert.equal(inCases([["a", false]], only, "not reproduced: no gain"), "not reproduced: no gain");
    // Nothing was looked at: nothing was shown.
    assert.equal(inCases([], only), "not reproduced");
  });

  it("count runs that were computed again", () => {
    assert.equal(reproduces(3, 3), "holds");
    assert.equal(reproduces(2, 3), "not reproduced: another version of the library?");
  });

  it("show an interval with the digits that are asked for", () => {
    assert.equal(shown({ mean: 0.5, low: 0.25, high: 1 }), "0.500 [0.250, 1.000]");
    assert.equal(shown({ mean: 0.5, low: 0.25, high: 1 }, 1), "0.5 [0.3, 1.0]");
  });
});
