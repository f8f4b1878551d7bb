import assert from "node:assert/strict";
import { advantages, filterGroups, recipe, recipeNeeds } from "turnwise/dist/rule";
import { assertClose, batchOf } from "./support";

// Population deviations: a .5, b 0, c 2, d 0.
const batch = batchOf({
  groupId: ["a", "b", "c", "d", "a", "b", "c", "d"],
  return_n: [0, 1, 0, 0.1, 1, 1, 4, 0.1],
});

describe("filterGroups", () => {
  it("keeps everything without a filter, and reports spread and constant groups", () => {
    const { keep_n, metrics } = filterGroups(batch, recipe("grpo"));
    assert.deepEqual([...keep_n], [1, 1, 1, 1, 1, 1, 1, 1]);
    assert.deepEqual(metrics, { "reward/std": 0.625, "reward/fracZeroStd": 0.5, "filter/fracKept": 1 });
  });

  it("drops the groups of equal returns for dynamic sampling", () => {
    const { keep_n } = filterGroups(batch, recipe("grpo", { filter: "zeroVariance" }));
    assert.deepEqual([...keep_n], [1, 0, 1, 0, 1, 0, 1, 0]);
  });

  it("keeps the fraction of groups with the largest deviation, at least one", () => {
    const top = (fraction: number): number[] => [
      ...filterGroups(batch, recipe("grpo", { filter: { kind: "topStd", fraction } })).keep_n,
    ];
    assert.deepEqual(top(0.25), [0, 0, 1, 0, 0, 0, 1, 0]);
    assert.deepEqual(top(0.01), [0, 0, 1, 0, 0, 0, 1, 0]);
    assert.deepEqual(top(0.5), [1, 0, 1, 0, 1, 0, 1, 0]);
    assert.deepEqual(top(0.75), [1, 1, 1, 0, 1, 1, 1, 0], "the tie of b and d goes to the smaller id");
  });
});

describe("advantages", () => {
  it("gives every active token its trajectory's advantage, and 0 elsewhere", () => {
    const ragged = batchOf({ groupId: ["a", "a"], return_n: [1, 3], turnCount: [1, 2], tokens: 2 });
    const { advantage_ntl, metrics } = advantages(ragged, recipe("seeUpo"));
    assertClose(advantage_ntl, [-1, -1, 0, 0, 1, 1, 1, 1], 0);
    // Two tokens of -1 and four of 1: mean 1/3, variance 1 - 1/9.
    assertClose([metrics["advantage/mean"]!, metrics["advantage/std"]!], [1 / 3, Math.sqrt(8 / 9)], 1e-12);
  });

  it("clamps after whitening", () => {
    const returns = [100, ...new Array<number>(19).fill(0)];
    const skewed = batchOf({ groupId: returns.map(() => "a"), return_n: returns });
    const { advantage_ntl, metrics } = advantages(skewed, recipe("seeUpo", { variant: "authors" }));
    // mean 5, deviation sqrt((95^2 + 19 * 25) / 19) = 22.36; 95 / 22.36 = 4.25 -> 3; -5 / 22.36 = -.2236.
    assertClose(advantage_ntl.slice(0, 2), [3, -0.2236068], 1e-6);
    assert.equal(metrics["advantage/fracClamped"], 0.05);
  });

  it("is the return itself without a baseline", () => {
    assertClose(advantages(batch, recipe("reinforce")).advantage_ntl, batch.return_n, 0);
  });

  it("refuses returns that are not finite", () => {
    const broken = batchOf({ groupId: ["a", "a"], return_n: [1, Infinity] });
    assert.throws(() => advantages(broken, recipe("grpo")), {
      name: "RangeError",
      message: "Cannot compute advantages as return_n must be finite: entry 1 is Infinity",
    });
  });
});

describe("recipeNeeds", () => {
  it("tells the trainer what a row asks for besides the batch", () => {
    assert.deepEqual(recipeNeeds(recipe("grpo")), {
      reference: false,
      value: false,
      entropy: false,
      clipBias: false,
    });
    assert.equal(recipeNeeds(recipe("seeUpo", { variant: "authors" })).reference, true);
  });
});
