import assert from "node:assert/strict";
import {
  advantageTable,
  decompositionError,
  exactRule,
  type ExactRule,
  affineTest,
  expectedAdvantageByReturn,
  expectedAdvantageParts,
  type GroupExpectationOptions,
  impliedDrift,
  simplexArgmax,
  surrogateValue,
  driftCheck,
  tablePolicy,
  type TablePolicy,
  buildTree,
} from "turnwise/exact";
import { createRng } from "turnwise";
import { rowAdvantage } from "turnwise/internal/exact/rowAdvantage";
import { close } from "./close";
import { twoTasks } from "./twoTasks";

function same(actual: ArrayLike<number>, expected: readonly number[], what = ""): void {
  assert.equal(actual.length, expected.length, what);
  expected.forEach((x, k) => close(actual[k]!, x, 12, `${what} [${k}]:`));
}

describe("groups of three coins, by hand", () => {
  // Own 1 among (0, 0), (1, 0), (1, 1) with 9/16, 6/16, 1/16: A = 2/3, 1/3, 0. Own 0: A = 0, -1/3, -2/3.
  // The population std of one or two ones in three is sqrt(2)/3.
  const coin = { value: [0, 1], probability: [3 / 4, 1 / 4] };
  const phi = (o: Partial<GroupExpectationOptions>): Float64Array =>
    expectedAdvantageByReturn(coin, { groupSize: 3, scale: "none", ...o });

  it("without a std", () => {
    same(phi({}), [-(6 / 16 / 3 + 2 / 16 / 3), (9 * 2) / 16 / 3 + 6 / 16 / 3]);
  });

  it("against the mean of the others: 3/2 of that", () => {
    same(phi({ baseline: "leaveOneOut" }), [-(3 / 16 + 1 / 16), 9 / 16 + 3 / 16]);
  });

  it("divided by the group's std, over G or over G - 1", () => {
    const divided = [-(6 + 2) / 16 / Math.SQRT2, (9 * 2 + 6) / 16 / Math.SQRT2];
    same(phi({ scale: "group" }), divided);
    // The sample std is sqrt(3/2) times as large.
    same(
      phi({ scale: "group", unbiased: true }),
      divided.map((x) => x * Math.sqrt(2 / 3)),
    );
  });

  it("by sign", () => {
    const parts = expectedAdvantageParts(coin, { groupSize: 3, scale: "none" });
    same(parts.positive, [0, 1 / 2]);
    same(parts.negative, [-1 / 6, 0]);
    // Own .1 at G = 2 with std is +1 against 0 and -1 against 1.
    const three = expectedAdvantageParts(
      { value: [0, 0.1, 1], probability: [0.5, 0.3, 0.2] },
      { groupSize: 2, scale: "group" },
    );
    same(three.positive, [0, 0.5, 0.8]);
    same(three.negative, [-0.5, -0.2, 0]);
  });

  it("in the limit of large groups, with a sure return worth 0", () => {
    same(phi({ groupSize: Infinity }), [-1 / 4, 3 / 4]);
    same(
      phi({ groupSize: Infinity, scale: "group" }),
      [-1 / 4, 3 / 4].map((x) => x / Math.sqrt(3 / 16)),
    );
    const sure = { value: [5], probability: [1] };
    for (const groupSize of [2, Infinity]) {
      same(expectedAdvantageByReturn(sure, { groupSize, scale: "group" }), [0]);
    }
    const parts = expectedAdvantageParts(coin, { groupSize: Infinity, scale: "none" });
    same(parts.positive, [0, 3 / 4]);
    same(parts.negative, [-1 / 4, 0]);
  });

  it("do not depend on how the distribution is written", () => {
    const o = { groupSize: 3, scale: "group" } as const;
    const [zero, one] = phi(o) as unknown as [number, number];
    same(expectedAdvantageByReturn({ value: [1, 0, 1], probability: [0.1, 0.75, 0.15] }, o), [
      one,
      zero,
      one,
    ]);
    // Returns that cannot occur, in the middle and at the end, change nothing for the others.
    const middle = expectedAdvantageByReturn({ value: [0, 5, 1], probability: [0.75, 0, 0.25] }, o);
    same([middle[0]!, middle[2]!], [zero, one]);
    const end = expectedAdvantageByReturn({ value: [0, 1, 5], probability: [0.75, 0.25, 0] }, o);
    same([end[0]!, end[1]!], [zero, one]);
  });

  it("refuse what is no distribution", () => {
    const o = { groupSize: 2, scale: "none" } as const;
    for (const [value, probability] of [
      [[0, 1], [1]],
      [[], []],
    ] as const) {
      assert.throws(() => expectedAdvantageByReturn({ value, probability }, o), {
        name: "TypeError",
        message:
          "Cannot enumerate groups: every return must have a probability, got " +
          `${value.length} returns and ${probability.length} probabilities.`,
      });
    }
    for (const probability of [
      [1.5, -0.5],
      [0.5, 0.4],
      [NaN, 1],
    ]) {
      assert.throws(() => expectedAdvantageByReturn({ value: [0, 1], probability }, o), {
        name: "RangeError",
        message: `Cannot enumerate groups: probabilities must be >= 0 and sum to 1, got ${probability.join(", ")}.`,
      });
    }
    assert.doesNotThrow(() => phi({ groupSize: 2 }));
    for (const groupSize of [1, 2.5]) {
      assert.throws(() => phi({ groupSize }), {
        name: "RangeError",
        message: `Cannot enumerate groups: groupSize must be an integer >= 2 or Infinity, got ${groupSize}.`,
      });
    }
    // 63 others over 12 returns: C(63 + 11, 11) = 74!/(11! 63!).
    let compositions = 1;
    for (let i = 1; i <= 11; i++) compositions = (compositions * (63 + i)) / i;
    const twelve = Array.from({ length: 12 }, (_, k) => k);
    const even = { value: twelve, probability: twelve.map(() => 1 / 12) };
    assert.throws(() => expectedAdvantageByReturn(even, { ...o, groupSize: 64 }), {
      message: `Cannot enumerate groups: their compositions must be at most 5000000, but 12 returns in groups of 64 have ${Math.round(compositions)}.`,
    });
  });
});

describe("one line through every return", () => {
  it("has the slope from the least to the largest return, in whatever order they come", () => {
    assert.deepEqual(affineTest([2, 0, 1], [5, 1, 3]), { affineIncreasing: true, slope: 2, deviation: 0 });
  });

  it("must be hit within the tolerance, and rise", () => {
    assert.deepEqual(affineTest([0, 1, 2], [0, 1.5, 2]), {
      affineIncreasing: false,
      slope: 1,
      deviation: 0.5,
    });
    assert.equal(affineTest([1, 0, 2], [1.5, 0, 2]).slope, 1);
    assert.equal(affineTest([0, 1, 2], [0, 1.5, 2], 0.5).affineIncreasing, true);
    assert.equal(affineTest([0, 1, 2], [0, 0.5, 2]).deviation, 0.5);
    assert.deepEqual(affineTest([0, 1], [1, 0]), { affineIncreasing: false, slope: -1, deviation: 0 });
    assert.equal(affineTest([0, 1], [1, 1]).affineIncreasing, false);
    const single = affineTest([3], [0]);
    assert.equal(single.affineIncreasing, false);
    assert.ok(Number.isNaN(single.slope));
    // The line need not pass through 0.
    assert.deepEqual(affineTest([1, 2, 3], [-1, 0, 1]), { affineIncreasing: true, slope: 1, deviation: 0 });
  });
});

describe("what a batch tells each row, by hand", () => {
  const tree = twoTasks();
  const behavior = tablePolicy(tree, { door: { go: 0.4, stay: 0.6 }, inside: { x: 0.5, y: 0.5 } });
  const after = (rows: Parameters<typeof tablePolicy>[1]): TablePolicy =>
    tablePolicy(tree, { door: { go: 0.4, stay: 0.6 }, inside: { x: 0.5, y: 0.5 }, ...rows });
  /** [positive, negative] of go, stay, x, y, and the reach of the two rows. */
  const told = (
    cells: Partial<ExactRule>,
    turns: readonly number[] = [0, 1],
    current = behavior,
    updated: readonly number[] = [],
  ): [positive: number[], negative: number[], reach: number[]] => {
    const sums = rowAdvantage(tree, exactRule(cells), { behavior, current, updated }, turns);
    return [
      sums.positive.flatMap((row) => [...row]),
      sums.negative.flatMap((row) => [...row]),
      [...sums.reach],
    ];
  };
  const expectTold = (
    actual: readonly number[][],
    positive: readonly number[],
    negative: readonly number[],
    reach: readonly number[],
  ): void => {
    same(actual[0]!, positive, "positive");
    same(actual[1]!, negative, "negative");
    same(actual[2]!, reach, "reach");
  };

  // Trajectories: (go, x) 1.5 with .0375, (go, y) -.5 with .0375, go -.5 with .025, stay 1 with .15 in the first task,
  // whose mean is .7; go 4 with .3 and stay 0 with .45 in the second, whose mean is 1.6.
  it("group means: A = .8, -1.2, -1.2, .3 and 2.4, -1.6", () => {
    expectTold(
      told({}),
      [0.0375 * 0.8 + 0.3 * 2.4, 0.15 * 0.3, 0.0375 * 0.8, 0],
      [-1.2 * 0.0625, -1.6 * 0.45, 0, -1.2 * 0.0375],
      [1, 0.075],
    );
    // The rows of one turn only.
    expectTold(told({}, [1]), [0, 0, 0.03, 0], [0, 0, 0, -0.045], [0, 0.075]);
  });

  it("returns as they are, or less the mean of the batch (1.375) in units of its std", () => {
    expectTold(
      told({ baseline: "none" }),
      [0.0375 * 1.5 + 0.3 * 4, 0.15, 0.0375 * 1.5, 0],
      [-0.5 * 0.0625, 0, 0, -0.5 * 0.0375],
      [1, 0.075],
    );
    // Squares about 1.375: .125^2, 1.875^2, .375^2, 2.625^2, 1.375^2.
    const std = Math.sqrt(
      0.0375 * 0.125 ** 2 + 0.0625 * 1.875 ** 2 + 0.15 * 0.375 ** 2 + 0.3 * 2.625 ** 2 + 0.45 * 1.375 ** 2,
    );
    expectTold(
      told({ baseline: "none", scale: "batch" }),
      [(0.0375 * 0.125 + 0.3 * 2.625) / std, 0, (0.0375 * 0.125) / std, 0],
      [(-0.0625 * 1.875) / std, (-0.15 * 0.375 - 0.45 * 1.375) / std, 0, (-0.0375 * 1.875) / std],
      [1, 0.075],
    );
  });

  it("the batch's std about the groups' means: sqrt(c (1/4 x .51 + 3/4 x 3.84)), c by group size and baseline", () => {
    // Var of the first task: .15 x .64 + .25 x 1.44 + .6 x .09 = .51; of the second: .4 x 5.76 + .6 x 2.56 = 3.84.
    const variance = 0.25 * 0.51 + 0.75 * 3.84;
    const go = (cells: Partial<ExactRule>): number => {
      const [positive, negative] = told({ scale: "batch", ...cells });
      return positive[0]! + negative[0]!;
    };
    const plain = 0.675; // .0375 x .8 + .3 x 2.4 - .0625 x 1.2
    close(go({}), plain / Math.sqrt(variance), 12);
    // The own sample takes 1/G off the advantage and off the variance; without it the variance has 1/(G - 1) more.
    close(go({ groupSize: 4 }), (plain * 0.75) / Math.sqrt(0.75 * variance), 12);
    close(go({ groupSize: 4, baseline: "leaveOneOut" }), plain / Math.sqrt((4 / 3) * variance), 12);
    close(go({ baseline: "leaveOneOut" }), plain / Math.sqrt(variance), 12);
  });

  it("three quarters of it in groups of four, all of it against the others", () => {
    const go = (baseline: "mean" | "leaveOneOut"): number => {
      const [positive, negative] = told({ baseline, groupSize: 4 });
      return positive[0]! + negative[0]!;
    };
    close(go("mean"), 0.75 * 0.675, 12);
    close(go("leaveOneOut"), 0.675, 12);
  });

  it("nothing of a task that never starts", () => {
    const start = [{ node: "first" }, { node: "second", probability: 0 }];
    const never = buildTree({ ...tree.spec, name: "never", start });
    const state = { behavior, current: behavior, updated: [] };
    const { positive, negative } = rowAdvantage(never, exactRule(), state, [0]);
    // The first task for sure: four times what it was.
    same(positive[0]!, [4 * 0.0375 * 0.8, 4 * 0.15 * 0.3]);
    same(negative[0]!, [-4 * 0.0625 * 1.2, 0]);
  });

  it("each task's own std with scale group", () => {
    const [positive, negative] = told({ scale: "group" });
    const [s, t] = [Math.sqrt(0.51), Math.sqrt(3.84)];
    same(positive, [(0.0375 * 0.8) / s + (0.3 * 2.4) / t, (0.15 * 0.3) / s, (0.0375 * 0.8) / s, 0]);
    same(negative, [(-1.2 * 0.0625) / s, (-1.6 * 0.45) / t, 0, (-1.2 * 0.0375) / s]);
    // Over G - 1 at G = 2 the std is sqrt(2) times as large.
    const ratio = (unbiased: boolean): number => told({ scale: "group", groupSize: 2, unbiased })[0][0]!;
    close(ratio(false) / ratio(true), Math.SQRT2, 12);
  });

  it("the exact critic: A = -.45 and .3, 2.4 and -1.6, 1 and -1", () => {
    const positive = [0.75 * 0.4 * 2.4, 0.25 * 0.6 * 0.3, 0.0375, 0];
    const negative = [-0.25 * 0.4 * 0.45, -0.75 * 0.6 * 1.6, 0, -0.0375];
    expectTold(told({ baseline: "critic" }), positive, negative, [1, 0.075]);
    expectTold(told({ baseline: "critic" }, [1]), [0, 0, 0.0375, 0], [0, 0, 0, -0.0375], [0, 0.075]);
    // Its std over the 1.075 turns of an episode.
    const std = Math.sqrt(
      (0.25 * (0.4 * 0.45 ** 2 + 0.6 * 0.3 ** 2) + 0.75 * (0.4 * 2.4 ** 2 + 0.6 * 1.6 ** 2) + 0.075) / 1.075,
    );
    expectTold(
      told({ baseline: "critic", scale: "batch" }),
      positive.map((x) => x / std),
      negative.map((x) => x / std),
      [1, 0.075],
    );
  });

  it("the exact critic under the turns already updated, with an exact carry only", () => {
    const current = after({ inside: { x: 0.9, y: 0.1 } });
    const critic = { baseline: "critic", order: "reverse" } as const;
    // V(inside) = 1.8, Q(first, go) = .85, V(first) = .94: A = -.09 and .06.
    const [positive, negative] = told({ ...critic, carry: "exact" }, [0], current, [1]);
    same(positive, [0.72, 0.25 * 0.6 * 0.06, 0, 0]);
    same(negative, [-0.25 * 0.4 * 0.09, -0.72, 0, 0]);
    const [, off] = told({ ...critic, carry: "off" }, [0], current, [1]);
    close(off[0]!, -0.045, 12);
  });

  it("carries the ratios of the turns already updated: 1.8 and .2, cut to 1.2 and .7, or not at all", () => {
    const current = after({ inside: { x: 0.9, y: 0.1 } });
    const go = (carry: ExactRule["carry"]): number[] => {
      const [positive, negative, reach] = told(
        { order: "reverse", carry, carryClip: [0.7, 1.2] },
        [0],
        current,
        [1],
      );
      return [positive[0]!, negative[0]!, reach[0]!];
    };
    same(go("exact"), [0.03 * 1.8 + 0.72, -0.045 * 0.2 - 0.03, 1]);
    same(go("clipped"), [0.03 * 1.2 + 0.72, -0.045 * 0.7 - 0.03, 1 + 0.0375 * (0.2 - 0.3)]);
    same(go("off"), [0.75, -0.075, 1]);
  });

  it("carries a product over turns, and cuts the product too", () => {
    // go 1.5 and stay 2/3; x 1.8 and y .2.
    const current = after({ door: { go: 0.6, stay: 0.4 }, inside: { x: 0.9, y: 0.1 } });
    const go = (carry: ExactRule["carry"], updated: readonly number[]): number[] => {
      const [positive, negative] = told(
        { order: "reverse", carry, carryClip: [0.7, 1.2] },
        [0],
        current,
        updated,
      );
      return [positive[0]!, positive[1]!, negative[0]!, negative[1]!];
    };
    for (const updated of [
      [1, 0],
      [0, 1],
    ]) {
      same(go("exact", updated), [
        0.03 * 1.8 * 1.5 + 0.72 * 1.5,
        (0.045 * 2) / 3,
        -0.045 * 0.2 * 1.5 - 0.03 * 1.5,
        (-0.72 * 2) / 3,
      ]);
      // 1.2 x 1.2 is cut to 1.2; .7 x 1.2 = .84 is not.
      same(go("clipped", updated), [
        0.03 * 1.2 + 0.72 * 1.2,
        0.045 * 0.7,
        -0.045 * 0.84 - 0.03 * 1.2,
        -0.72 * 0.7,
      ]);
    }
  });

  it("leaves out what cannot happen: ratios of probability 0 are never formed", () => {
    const sure = tablePolicy(tree, { door: { stay: 1 }, inside: { x: 1 } });
    const rule = exactRule({ order: "reverse", carry: "exact" });
    const { positive, negative, reach } = rowAdvantage(
      tree,
      rule,
      { behavior: sure, current: sure, updated: [1] },
      [0],
    );
    for (const row of [...positive, ...negative]) assert.ok(row.every((x) => x === 0));
    same(reach, [1, 0]);
  });

  it("has advantage 0 where nothing differs, whatever it is divided by", () => {
    const flat = buildTree({
      name: "flat",
      start: [{ node: "n" }],
      nodes: { n: { actions: { a: 2, b: 2 } } },
    });
    const policy = tablePolicy(flat, {});
    const state = { behavior: policy, current: policy, updated: [] };
    for (const cells of [
      { scale: "batch" },
      { scale: "group" },
      { baseline: "none", scale: "batch" },
      { baseline: "critic", scale: "batch" },
    ] as const) {
      const { positive, negative } = rowAdvantage(flat, exactRule(cells), state, [0]);
      same([...positive[0]!, ...negative[0]!], [0, 0, 0, 0], JSON.stringify(cells));
    }
  });
});

describe("the advantage table of the two tasks, by hand", () => {
  const tree = twoTasks();
  const policy = tablePolicy(tree, { door: { go: 0.4, stay: 0.6 }, inside: { x: 0.5, y: 0.5 } });

  it("has a line for each action: A, what the group mean expects, the difference and the noise", () => {
    const table = advantageTable(tree, policy);
    assert.deepEqual(
      table.map(({ infoState, action }) => `${infoState}: ${action}`),
      ["door: go", "door: stay", "inside: x", "inside: y"],
    );
    // door: -.45/4 + 3/4 x 2.4 and .3/4 - 3/4 x 1.6. Inside the episode has paid .5 already and the task's mean is .7:
    // 1.5 - .7 = .8 for an advantage of 1, and -.5 - .7 = -1.2 for -1.
    same(
      table.map((entry) => entry.advantage),
      [1.6875, -1.125, 1, -1],
    );
    same(
      table.map((entry) => entry.expected),
      [1.6875, -1.125, 0.8, -1.2],
    );
    same(
      table.map((entry) => entry.offset),
      [0, 0, -0.2, -0.2],
    );
    // go: 1.5, -.5 and 4 with .0375, .0625 and .3 of .4, mean 3.0625. stay: 1 and 0 with .15 and .45 of .6, mean 1/4.
    const go = (0.0375 * 1.5625 ** 2 + 0.0625 * 3.5625 ** 2 + 0.3 * 0.9375 ** 2) / 0.4;
    same(
      table.map((entry) => entry.returnStd),
      [Math.sqrt(go), Math.sqrt(3 / 16), 0, 0],
    );
  });

  it("is the same for an order of turns: nothing is updated yet", () => {
    assert.deepEqual(
      advantageTable(tree, policy, exactRule({ order: "reverse" })),
      advantageTable(tree, policy),
    );
  });

  it("leaves out actions that are never taken and rows that are never reached", () => {
    const stay = tablePolicy(tree, { door: { stay: 1 } });
    assert.deepEqual(
      advantageTable(tree, stay).map(({ infoState, action }) => `${infoState}: ${action}`),
      ["door: stay"],
    );
  });

  it("chance explains what advantages do not: .75 where going on fails, .25 where it succeeds", () => {
    // (go, x): 1.5 - .7 = .8 against -.45 + 1. go alone: -.5 - .7 = -1.2 against -.45.
    close(decompositionError(tree, policy), 0.75, 12);
    // Nobody goes: nothing is left to explain.
    close(decompositionError(tree, tablePolicy(tree, { door: { stay: 1 } })), 0, 12);
  });
});

describe("the surrogate of one row, by hand", () => {
  const row = { old: [0.5, 0.5], positive: [0.3, 0.1], negative: [-0.1, -0.3] };

  it("cuts gains above 1 + clip and losses below 1 - clip", () => {
    // Ratios 1.6 and .4: .3 x 1.2 - .1 x 1.6 + .1 x .4 - .3 x .8 = 0.
    close(surrogateValue(row, [0.8, 0.2]), 0, 12);
    close(surrogateValue({ ...row, clip: 0.1 }, [0.8, 0.2]), 0.33 - 0.16 + 0.04 - 0.27, 12);
    // 1.1 and .9: (.3 - .1) 1.1 + (.1 - .3) .9.
    close(surrogateValue(row, [0.55, 0.45]), 0.04, 12);
  });

  it("is finite where an action loses all of its mass", () => {
    // Ratios 2 and 0: .3 x 1.2 - .1 x 2 - .3 x .8, without a penalty.
    close(surrogateValue(row, [1, 0]), -0.08, 12);
    // With clip 1 nothing is clipped, and the infinite KL has weight 0: .6 - .2.
    close(surrogateValue({ ...row, clip: 1, clipKlPenalty: 10 }, [1, 0]), 0.4, 12);
  });

  it("takes the root of a ratio by the action's length", () => {
    const s = Math.sqrt(1.6);
    close(surrogateValue({ ...row, length: [2, 1] }, [0.8, 0.2]), 0.36 - 0.1 * s + 0.04 - 0.24, 12);
  });

  it("takes off lambda x clip fraction x KL(old || new)", () => {
    // Both clipped: KL = -.5 ln 1.6 - .5 ln .4.
    const kl = -0.5 * Math.log(1.6) - 0.5 * Math.log(0.4);
    close(surrogateValue({ ...row, clipKlPenalty: 10 }, [0.8, 0.2]), -10 * kl, 12);
    // Ratios 1.4 and 13/15: the first, a quarter of the old policy, is clipped.
    const uneven = { ...row, old: [0.25, 0.75] };
    const p = [0.35, 0.65];
    const part = -0.25 * Math.log(1.4) - 0.75 * Math.log(13 / 15);
    close(
      surrogateValue({ ...uneven, clipKlPenalty: 3 }, p),
      surrogateValue(uneven, p) - 3 * 0.25 * part,
      12,
    );
    // At the bound itself nothing is clipped: ratios 1.5 and .5, clip .5.
    const wide = { ...row, clip: 0.5 };
    assert.equal(
      surrogateValue({ ...wide, clipKlPenalty: 10 }, [0.75, 0.25]),
      surrogateValue(wide, [0.75, 0.25]),
    );
  });

  it("has the drift E_p[A] - L(p): 1.6 x .2 - .4 x .2 - 0 = .24", () => {
    close(impliedDrift(row, [0.8, 0.2]), 0.24, 12);
    close(impliedDrift(row, [0.5, 0.5]), 0, 12);
  });

  it("has a drift that is checked at the old policy too: a negative clip radius cuts there", () => {
    // min(1, .9): L = .5 x .9, drift .05, and .5 x 2 x .1 far off.
    const cut = { old: [0.5, 0.5], positive: [0.5, 0], negative: [0, 0], clip: -0.1 };
    const check = driftCheck(cut, createRng(1), { trials: 20 });
    close(check.atOld, 0.05, 12);
    assert.deepEqual([check.zeroAtOld, check.valid], [false, false]);
    // Without trials there is the old policy only.
    const none = driftCheck(row, createRng(1), { trials: 0 });
    assert.deepEqual([none.minimum, none.slopeAtOld, none.valid], [none.atOld, 0, true]);
  });

  it("is maximized over the points of a grid, or stays where it starts", () => {
    const start = [0.5, 0.25, 0.25];
    const met: string[] = [];
    const best = simplexArgmax(
      (p) => {
        if (p !== start) met.push(p.map((x) => x * 2).join(""));
        return p[1]!;
      },
      start,
      2,
    );
    assert.deepEqual(met, ["002", "011", "020", "101", "110", "200"]);
    assert.deepEqual(best, [0, 1, 0]);
    assert.equal(
      simplexArgmax(() => 1, start, 2),
      start,
    );
    // The first of equals.
    assert.deepEqual(
      simplexArgmax((p) => Math.abs(p[0]! - 0.5), [0.5, 0.5], 2),
      [0, 1],
    );
  });
});
