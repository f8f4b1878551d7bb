// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import fc from "fast-check";
import { exactReturn, expectedUpdate } from "turnwise/internal/exact/checkRule/expectation";
import { policyOf } from "turnwise/internal/exact/checkRule/games";
import { tokenGame } from "turnwise/internal/exact/checkRule/tokenGame";
import { advantages, recipe } from "turnwise";
import { assertClose, batchOf } from "./support";

describe("the length-weighted mean (OPO)", () => {
  const opo = recipe("opo");

  it("weighs a return by the tokens that the policy sampled", () => {
    // Lengths 1 and 3, returns 1 and 5: (1 + 15) / 4 = 4.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5], turnCount: [1, 3] });
    assertClose(advantages(batch, opo).advantage_ntl, [-3, 0, 0, 1, 1, 1], 0);
  });

  it("does not count masked tokens, whatever stands in them", () => {
    // Two tokens a turn; the second trajectory's last is the tool's: lengths 2 and 1, (2 * 1 + 4) / 3 = 2.
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 4], tokens: 2 });
    batch.mask_ntl[3] = 0;
    batch.oldLogProb_ntl[3] = NaN;
    assertClose(advantages(batch, opo).advantage_ntl, [-1, -1, 2, 0], 0);
  });

  it("is the group's mean where all lengths are equal", () => {
    const returns = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(returns, fc.integer({ min: 1, max: 3 }), (return_n, tokens) => {
        const batch = batchOf({ groupId: ["a", "a", "b", "b"], return_n, tokens });
        const mean = advantages(batch, recipe("reinforce", { advantage: "mean" }));
        assertClose(advantages(batch, opo).advantage_ntl, mean.advantage_ntl, 1e-12);
      }),
    );
  });

  it("does not change if all get as much more, and grows with the unit", () => {
    const returns = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(returns, fc.integer({ min: -4, max: 4 }), (return_n, more) => {
        const of = (f: (r: number) => number): Float64Array => {
          const shape = { groupId: ["a", "a", "a"], turnCount: [1, 3, 2] };
          return advantages(batchOf({ ...shape, return_n: return_n.map(f) }), opo).advantage_ntl;
        };
        assertClose(of((r) => r + more), of((r) => r), 1e-12); // prettier-ignore
        assertClose(of((r) => 2 * r), of((r) => r).map((a) => 2 * a), 1e-12); // prettier-ignore
      }),
    );
  });

  it("gives 0 to a group of equal returns, refuses a group of one unless allowed, and a group that sampled nothing", () => {
    const same = batchOf({ groupId: ["a", "a"], return_n: [0.1, 0.1], turnCount: [1, 3] });
    assert.ok(advantages(same, opo).advantage_ntl.every((a) => a === 0));
    const one = batchOf({ groupId: ["a"], return_n: [3] });
    assert.throws(() => advantages(one, opo), {
      name: "RangeError",
      message:
        "Cannot compute length-weighted advantages: every group must have at least 2 members, but group a has 1.",
    });
    const allowed = recipe("opo", { advantage: { allowSingleton: true } });
    assertClose(advantages(one, allowed).advantage_ntl, [3], 0);
    const silent = batchOf({ groupId: ["a", "a"], return_n: [1, 2] });
    silent.mask_ntl.fill(0);
    assert.throws(() => advantages(silent, opo), {
      name: "RangeError",
      message:
        "Cannot compute length-weighted advantages: every group must have a sampled token, but group a has none.",
    });
  });

  it("divides by the group's deviation or mean if the row says so", () => {
    const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 5], turnCount: [1, 3] });
    // Mean 3: -3 / 3, 1 / 3. Deviation with n: 2: -3 / 2, 1 / 2.
    const by = (scale: object): number[] => {
      const { advantage_ntl } = advantages(batch, recipe("opo", { scale: scale as { kind: "mean" } }));
      return [advantage_ntl[0]!, advantage_ntl[3]!];
    };
    assertClose(by({ kind: "mean" }), [-1, 1 / 3], 1e-12);
    assertClose(by({ kind: "group", unbiased: false, epsilon: 0 }), [-1.5, 0.5], 1e-12);
  });

  // Short answers take one token, long ones two; the second token of a long one is good or bad.
  const game = tokenGame("short or long", ["task"], (play) => {
    play.turn("task");
    if (play.choose("length", ["short", "long"]) === "short") play.reward(0.5);
    else play.reward(play.choose("last", ["good", "bad"]) === "good" ? 1 : 0);
  });
  const policy = policyOf(game, { length: [0.5, 0.5], last: [0.5, 0.5] });

  it("is biased where lengths differ: the exact gradient of the length is 0, and it moves it", () => {
    // G = 2. Short earns 1/2, long 1/2 on average. Pairs (short, good): b = (.5 + 2) / 3 = 5/6, A = -1/3, 1/6;
    // (short, bad): b = 1/6, A = 1/3, -1/6: the length's pushes cancel. (good, bad): +-1/2. So here it is by symmetry 0.
    const { gradient } = exactReturn(game, policy);
    assertClose(gradient, [0, 0, 0.125, -0.125], 1e-12);
    const skewed = policyOf(game, { length: [0.5, 0.5], last: [0.8, 0.2] });
    const exact = exactReturn(game, skewed).gradient;
    const own = expectedUpdate(opo, game, skewed, 2).mean;
    const mean = expectedUpdate(recipe("reinforce", { advantage: "mean" }), game, skewed, 2).mean;
    // The group's own mean gives (G - 1) / G = 1/2 of the exact gradient in every logit; OPO has no such factor.
    assertClose(mean, exact.map((g) => g / 2), 1e-12); // prettier-ignore
    assert.ok(Math.abs(own[0]! / exact[0]! - own[2]! / exact[2]!) > 0.01);
  });
});
