import assert from "node:assert/strict";
import fc from "fast-check";
import { groupAdvantage } from "turnwise";
import { assertClose } from "./support";

describe("groupAdvantage", () => {
  // Groups (6, 3) and (9, 12): means 4.5 and 10.5; deviations n-1: 3 / sqrt 2 = 2.12132, n: 1.5.
  const reward = [6, 3, 9, 12];
  const groupId = [0, 0, 1, 1];

  it("subtracts the mean of the group, own sample included", () => {
    const a = groupAdvantage(reward, groupId, { baseline: "mean", scale: "none" });
    assertClose(a, [1.5, -1.5, -1.5, 1.5], 0);
  });

  it("subtracts the mean of the others with leaveOneOut", () => {
    const a = groupAdvantage(reward, groupId, { baseline: "leaveOneOut", scale: "none" });
    assertClose(a, [3, -3, -3, 3], 0);
  });

  it("divides by the deviation of the group with n - 1, or with n when asked", () => {
    const o = { baseline: "mean", scale: "group", epsilon: 0 } as const;
    assertClose(
      groupAdvantage(reward, groupId, o),
      [Math.SQRT1_2, -Math.SQRT1_2, -Math.SQRT1_2, Math.SQRT1_2],
      1e-6,
    );
    assertClose(groupAdvantage(reward, groupId, { ...o, unbiased: false }), [1, -1, -1, 1], 1e-6);
  });

  it("adds epsilon to the deviation", () => {
    const a = groupAdvantage(reward, groupId, {
      baseline: "mean",
      scale: "group",
      unbiased: false,
      epsilon: 0.5,
    });
    assertClose(a, [0.75, -0.75, -0.75, 0.75], 1e-6);
  });

  it("whitens over the batch after the group baseline", () => {
    // Rewards (0, 2) and (0, 6): centered -1, 1, -3, 3; mean 0; n: sqrt(20 / 4) = 2.236068.
    const a = groupAdvantage([0, 2, 0, 6], [7, 7, 9, 9], {
      baseline: "mean",
      scale: "batch",
      unbiased: false,
      epsilon: 0,
    });
    assertClose(a, [-0.4472136, 0.4472136, -1.3416408, 1.3416408], 1e-6);
  });

  it("gives zero to a group of equal rewards, even where rounding leaves a residue and epsilon is 0", () => {
    for (const scale of ["none", "group", "batch"] as const) {
      for (const rewards of [
        [0.1, 0.1, 0.1],
        [0.1 + 0.2, 0.3, 0.3],
      ]) {
        const a = groupAdvantage(rewards, [0, 0, 0], { baseline: "mean", scale, epsilon: 0 });
        assertClose(a, [0, 0, 0], 0, scale);
      }
    }
  });

  it("takes a mean that is 0 but for rounding for 0, where it divides by the mean", () => {
    // 1 - 10 x .1 is 1.4e-16 when it is summed one by one: a reward of 1 would be pushed 10^17 times as hard.
    const rewards = [1, ...new Array<number>(10).fill(-0.1)];
    const a = groupAdvantage(
      rewards,
      rewards.map(() => 0),
      { baseline: "mean", scale: "mean" },
    );
    assertClose(
      a,
      rewards.map(() => 0),
      0,
    );
  });

  it("refuses a group of one unless allowed, and then keeps its reward", () => {
    const o = { baseline: "mean", scale: "group" } as const;
    assert.throws(() => groupAdvantage([1, 2, 3], [0, 0, 5], o), {
      name: "RangeError",
      message:
        "Cannot compute group advantages: every group must have at least 2 members, but group 5 has 1.",
    });
    const a = groupAdvantage([1, 2, 3], [0, 0, 5], { ...o, allowSingleton: true });
    assertClose([a[2]!], [3], 1e-6);
    assert.throws(
      () => groupAdvantage([3], [5], { baseline: "leaveOneOut", scale: "none", allowSingleton: true }),
      RangeError,
    );
  });

  it("refuses unequal lengths, empty batches and rewards that are not finite", () => {
    const o = { baseline: "mean", scale: "none" } as const;
    assert.throws(() => groupAdvantage([1, 2, 3], [0, 0], o), {
      name: "TypeError",
      message:
        "Cannot compute group advantages: groupId must have one entry per reward, got 3 rewards, 2 group ids.",
    });
    assert.throws(() => groupAdvantage([], [], o), {
      name: "RangeError",
      message: "Cannot compute group advantages: there must be at least one reward, got none.",
    });
    assert.throws(() => groupAdvantage([1, NaN], [0, 0], o), {
      name: "RangeError",
      message: "Cannot compute group advantages: reward must be finite, but entry 1 is NaN.",
    });
  });

  const groups = fc.array(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 6 }), {
    minLength: 1,
    maxLength: 5,
  });

  it("leaveOneOut is n / (n - 1) times the centered reward, for any groups", () => {
    fc.assert(
      fc.property(groups, (rewards) => {
        const ids = rewards.flatMap((group, g) => group.map(() => g));
        const centered = groupAdvantage(rewards.flat(), ids, { baseline: "mean", scale: "none" });
        const others = groupAdvantage(rewards.flat(), ids, { baseline: "leaveOneOut", scale: "none" });
        const sizes = rewards.flatMap((group) => group.map(() => group.length));
        assertClose(
          others,
          Array.from(centered, (a, i) => (a * sizes[i]!) / (sizes[i]! - 1)),
          1e-5,
        );
      }),
    );
  });

  it("shuffling the rows shuffles the advantages and changes nothing else", () => {
    fc.assert(
      fc.property(groups, fc.infiniteStream(fc.nat()), (rewards, keys) => {
        const flat = rewards.flat();
        const ids = rewards.flatMap((group, g) => group.map(() => g));
        const order = flat
          .map((_, i) => ({ i, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ i }) => i);
        for (const scale of ["none", "group", "batch"] as const) {
          const straight = groupAdvantage(flat, ids, { baseline: "mean", scale });
          const shuffled = groupAdvantage(
            order.map((i) => flat[i]!),
            order.map((i) => ids[i]!),
            { baseline: "mean", scale },
          );
          assertClose(
            shuffled,
            order.map((i) => straight[i]!),
            1e-5,
            scale,
          );
        }
      }),
    );
  });
});
