import assert from "node:assert/strict";
import { advantages, recipe } from "turnwise";
import { filterGroups, recipeNeeds } from "turnwise/internal/rule/index";
import { scales } from "turnwise/internal/rule/scale/index";
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

describe("filter topP", () => {
  // Deviations with n - 1: a 1 / sqrt 2 = .707, b 0, c 4 / sqrt 2 = 2.828, d 0; their sum 3.536.
  const kept = (filter: object, of = batch): number[] => [
    ...filterGroups(of, recipe("ragenTopP", { filter: filter as { kind: "topP" } })).keep_n,
  ];

  it("keeps the groups of largest deviation until they hold a share p of the sum", () => {
    assert.deepEqual(kept({ p: 0.9 }), [1, 0, 1, 0, 1, 0, 1, 0], ".9 of it is 3.182: c and a");
    assert.deepEqual(kept({ p: 0.4 }), [0, 0, 1, 0, 0, 0, 1, 0], ".4 of it is 1.414: c");
    assert.deepEqual(kept({ p: 0 }), [0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it("lets them miss it by epsilon", () => {
    // .81 of the sum is 2.864, .036 above what c holds.
    assert.deepEqual(kept({ p: 0.81, epsilon: 0.01 }), [1, 0, 1, 0, 1, 0, 1, 0]);
    assert.deepEqual(kept({ p: 0.81, epsilon: 0.1 }), [0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it("filters nothing with p = 1, and keeps nothing where no group has a spread", () => {
    assert.deepEqual(kept({ p: 1 }), [1, 1, 1, 1, 1, 1, 1, 1]);
    const flat = batchOf({ groupId: ["a", "a", "b", "b", "c"], return_n: [1, 1, 0, 0, 7] });
    assert.deepEqual(kept({ p: 0.9 }, flat), [0, 0, 0, 0, 0]);
    assert.deepEqual(kept({ p: 1 }, flat), [1, 1, 1, 1, 1]);
  });

  it("gives a tie to the id that comes first, in any order of rows", () => {
    const tied = batchOf({ groupId: ["z", "a", "z", "a"], return_n: [0, 0, 1, 1] });
    assert.deepEqual(kept({ p: 0.3 }, tied), [0, 1, 0, 1]);
  });
});

describe("filterGroups, in any order of rows", () => {
  it("gives a tie to the id that comes first, and drops groups by their own deviation", () => {
    // Deviations: z .5, a .5, m 2. Two thirds of three groups are two: m, and a of the two that tie.
    const shuffled = batchOf({ groupId: ["z", "a", "m", "z", "a", "m"], return_n: [0, 0, 0, 1, 1, 4] });
    const { keep_n, metrics } = filterGroups(
      shuffled,
      recipe("grpo", { filter: { kind: "topStd", fraction: 0.7 } }),
    );
    assert.deepEqual([...keep_n], [0, 1, 1, 0, 1, 1]);
    assert.deepEqual(metrics, { "reward/std": 1, "reward/fracZeroStd": 0, "filter/fracKept": 4 / 6 });
  });

  it("refuses returns that are not finite", () => {
    const broken = batchOf({ groupId: ["a", "a"], return_n: [1, NaN] });
    assert.throws(() => filterGroups(broken, recipe("grpo")), {
      name: "RangeError",
      message: "Cannot compute the group filter: return_n must be finite, but entry 1 is NaN.",
    });
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
      message: "Cannot compute advantages: return_n must be finite, but entry 1 is Infinity.",
    });
  });
});

describe("the scale of the batch", () => {
  const { overBatch } = scales.batch;
  const knobs = { unbiased: false, epsilon: 0, clamp: null };
  const used = Uint8Array.of(1, 0, 1, 0);
  const advantage = Float64Array.of(1, 99, 3, NaN);

  it("whitens the entries that take part and gives the others 0", () => {
    // Mean 2, deviation 1; with n - 1 in the denominator sqrt 2; with .25 added 1.25.
    const scaled = overBatch(knobs, advantage, used)!;
    assertClose(scaled.advantage, [-1, 0, 1, 0], 1e-12);
    assert.deepEqual(scaled.metrics, {});
    assertClose(
      overBatch({ ...knobs, unbiased: true }, advantage, used)!.advantage,
      [-Math.SQRT1_2, 0, Math.SQRT1_2, 0],
      1e-12,
    );
    assertClose(overBatch({ ...knobs, epsilon: 0.25 }, advantage, used)!.advantage, [-0.8, 0, 0.8, 0], 1e-12);
  });

  it("cuts at the limit on both sides, and counts what lies beyond it among the entries that take part", () => {
    const cut = overBatch({ ...knobs, clamp: 0.5 }, advantage, used)!;
    assertClose(cut.advantage, [-0.5, 0, 0.5, 0], 1e-12);
    assert.deepEqual(cut.metrics, { "advantage/fracClamped": 1 });
    assert.deepEqual(overBatch({ ...knobs, clamp: 1 }, advantage, used)!.metrics, {
      "advantage/fracClamped": 0,
    });
    assert.deepEqual(overBatch({ ...knobs, clamp: 1 }, advantage, new Uint8Array(4))!.metrics, {
      "advantage/fracClamped": 0,
    });
  });
});

describe("recipeNeeds", () => {
  it("tells the trainer what a row asks for besides the batch", () => {
    assert.deepEqual(recipeNeeds(recipe("grpo")), {
      reference: false,
      shown: false,
      value: false,
      entropy: false,
      draws: false,
      clipBias: false,
      gradients: false,
      distributions: { reference: false, old: false },
    });
    assert.equal(recipeNeeds(recipe("seeUpo", { variant: "authors" })).reference, true);
  });
});
