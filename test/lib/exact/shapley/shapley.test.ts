import assert from "node:assert/strict";
import { shapley } from "turnwise/search";

const near = (actual: Readonly<Record<string, number>>, expected: Readonly<Record<string, number>>): void => {
  assert.deepEqual(Object.keys(actual), Object.keys(expected));
  for (const [name, value] of Object.entries(expected))
    assert.ok(Math.abs(actual[name]! - value) < 1e-12, `${name}: ${actual[name]} for ${value}`);
};

describe("shapley()", () => {
  it("divides what gloves earn as in the textbook: 2/3 to the left one, 1/6 to each right one", () => {
    // Six orders of arrival. The left glove completes a pair unless it comes first: 4 of 6. A right one does only if it comes
    // second, after the left one: 1 of 6.
    const { value, oneSided } = shapley(["l", "r", "s"], (who) =>
      who.includes("l") && who.length > 1 ? 1 : 0,
    );
    near(value, { l: 4 / 6, r: 1 / 6, s: 1 / 6 });
    // One right glove alone can leave, and nothing is lost.
    near(oneSided, { l: 1, r: 0, s: 0 });
  });

  it("divides a chain in which each link is needed equally, where one-sided marginals pay three times what there is", () => {
    const { value, oneSided } = shapley(["a", "b", "c"], (who) => (who.length === 3 ? 1 : 0));
    near(value, { a: 1 / 3, b: 1 / 3, c: 1 / 3 });
    near(oneSided, { a: 1, b: 1, c: 1 });
  });

  it("works a game of three numbers out as by hand", () => {
    // v(a) = 1, v(b) = 2, v(ab) = 5: a adds 1 first or 3 last, b adds 4 last or 2 first.
    const worth: Record<string, number> = { "": 0, a: 1, b: 2, "a+b": 5 };
    const { value, oneSided, coalitions } = shapley(["a", "b"], (who) => worth[who.join("+")]!);
    near(value, { a: 2, b: 3 });
    near(oneSided, { a: 3, b: 4 });
    near(coalitions, worth);
  });

  /** An arbitrary game of four, by a fixed table of sixteen numbers. */
  const players = ["a", "b", "c", "d"];
  const number = (who: readonly string[]): number => {
    const set = players.reduce((sum, name, i) => sum + (who.includes(name) ? 2 ** i : 0), 0);
    return [0.3, 1, -2, 4, 0, 2.5, 1, 1, 7, 0, 3, 3, -1, 2, 6, 9][set]!;
  };

  it("pays out all there is (efficiency)", () => {
    const { value } = shapley(players, number);
    const paid = Object.values(value).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(paid - (9 - 0.3)) < 1e-12);
  });

  it("pays equal players equally (symmetry)", () => {
    // c and d count alike: only how many of them there are matters.
    const { value } = shapley(players, (who) => {
      const pair = who.filter((one) => one === "c" || one === "d").length;
      return pair * pair + (who.includes("a") ? 5 * pair : 1);
    });
    assert.ok(Math.abs(value["c"]! - value["d"]!) < 1e-12);
  });

  it("pays nothing to who never adds anything (null player)", () => {
    const { value } = shapley(players, (who) => number(who.filter((one) => one !== "b")));
    assert.ok(Math.abs(value["b"]!) < 1e-12);
  });

  it("adds up over games (linearity)", () => {
    const sum = shapley(players, (who) => number(who) + 2 * who.length).value;
    const { value } = shapley(players, number);
    for (const name of players) assert.ok(Math.abs(sum[name]! - value[name]! - 2) < 1e-12);
  });

  it("refuses no players, one twice, and values that are not finite", () => {
    assert.throws(() => shapley([], () => 0), {
      name: "RangeError",
      message: /^Cannot divide a return: players must be 1 to 12 different names, got /,
    });
    assert.throws(() => shapley(["a", "a"], () => 0), { name: "RangeError" });
    assert.throws(() => shapley(["a"], (who) => (who.length === 0 ? NaN : 1)), {
      name: "RangeError",
      message: "Cannot divide a return: each coalition's value must be finite, but nobody has NaN.",
    });
  });
});
