import assert from "node:assert/strict";
import { advantages, recipe, type RecipeOverrides } from "turnwise";
import { criticGradient, explainedVariance, rewardToGo, valueTarget } from "turnwise/internal/train/critic";
import { assertClose, batchOf } from "../rule/support";

describe("rewardToGo", () => {
  // One trajectory of two turns of two tokens, rewards 1 and 2.
  const bare = batchOf({ groupId: ["a"], return_n: [3], turnCount: [2], tokens: 2 });
  const batch = { ...bare, reward_nt: Float64Array.of(1, 2) };
  const target = (advantage: NonNullable<RecipeOverrides["advantage"]>): Float64Array =>
    rewardToGo(batch, recipe("ppo", { advantage, scale: "none" }), batch.reward_nt);

  it("discounts a turn as one step, or as its tokens where GAE runs over tokens", () => {
    // Turns, gamma .5: 2; 1 + .5 * 2 = 2. Tokens: the reward is one step away: .5 * 2 = 1; .5 * (1 + .5 * 1) = .75.
    assertClose(target({ level: "turn", gamma: 0.5 }), [2, 2], 1e-12);
    assertClose(target({ level: "token", gamma: 0.5 }), [0.75, 1], 1e-12);
    assertClose(target({ kind: "biLevelGae", gamma: 1, gammaTurn: 0.5 }), [2, 2], 1e-12);
  });

  it("is what the advantage of a turn's first token is measured from, at lambda 1", () => {
    for (const level of ["token", "turn"] as const) {
      const row = recipe("ppo", { advantage: { level, gamma: 0.7 }, scale: "none" });
      const { advantage_ntl } = advantages(batch, row, new Float64Array(2));
      assertClose([advantage_ntl[0]!, advantage_ntl[2]!], rewardToGo(batch, row, batch.reward_nt), 1e-12);
    }
  });
});

describe("valueTarget with lambdaReturn", () => {
  // Two turns of two tokens, rewards 1 and 2, values 10 and 20.
  const bare = batchOf({ groupId: ["a"], return_n: [3], turnCount: [2], tokens: 2 });
  const batch = { ...bare, reward_nt: Float64Array.of(1, 2) };
  const value_nt = Float64Array.of(10, 20);
  const target = (advantage: NonNullable<RecipeOverrides["advantage"]>): Float64Array =>
    valueTarget(batch, recipe("ppo", { advantage, scale: "none" }), batch, value_nt);

  it("is one step and then the critic at lambda 0, and half way to the sampled return at 1/2", () => {
    // Turns: the last is 2 always. lambda 0: 1 + 20 = 21. lambda 1/2: 21 + 1/2 (2 - 20) = 12. lambda 1: 1 + 2 = 3.
    const turns = (lambda: number): Float64Array =>
      target({ level: "turn", lambda, valueTarget: "lambdaReturn" });
    assertClose(turns(0), [21, 2], 1e-12);
    assertClose(turns(0.5), [12, 2], 1e-12);
    assertClose(turns(1), [3, 2], 1e-12);
    assertClose(target({ level: "turn", lambda: 0.5 }), [3, 2], 1e-12);
  });

  it("counts tokens as steps where GAE runs over tokens", () => {
    // lambda 1/2, deltas 0, 1 + 20 - 10 = 11, 0, 2 - 20 = -18. First turn: 10 + 0 + 11 / 2 + 0 / 4 - 18 / 8 = 13.25;
    // second: 20 + 0 - 18 / 2 = 11.
    assertClose(target({ level: "token", lambda: 0.5, valueTarget: "lambdaReturn" }), [13.25, 11], 1e-12);
  });

  it("at lambda 1 is the sampled return whatever the critic says, at both levels and any discount", () => {
    for (const level of ["token", "turn"] as const) {
      const row = recipe("ppo", {
        advantage: { level, gamma: 0.7, valueTarget: "lambdaReturn" },
        scale: "none",
      });
      assertClose(valueTarget(batch, row, batch, value_nt), rewardToGo(batch, row, batch.reward_nt), 1e-12);
    }
  });

  it("is the value itself where a turn has no sampled token", () => {
    // The first turn's tokens are masked: GAE over tokens begins with the second turn's, 2 - 20 = -18.
    const first = { ...batch, mask_ntl: Uint8Array.of(0, 0, 1, 1) };
    const row = recipe("ppo", { advantage: { level: "token", valueTarget: "lambdaReturn" }, scale: "none" });
    assertClose(valueTarget(first, row, first, value_nt), [10, 2], 1e-12);
    // The second turn's are: its reward 2 falls on the first turn's last token, 3 - 10 = -7 from there.
    const last = { ...batch, mask_ntl: Uint8Array.of(1, 1, 0, 0) };
    assertClose(valueTarget(last, row, last, value_nt), [3, 20], 1e-12);
  });

  it("is refused by a row without a critic, and a misspelled target is named", () => {
    assert.throws(() => recipe("ppo", { advantage: { valueTarget: "td" as "monteCarlo" } }), {
      name: "RangeError",
      message: /valueTarget must be "monteCarlo" or "lambdaReturn"/,
    });
  });
});

describe("explainedVariance", () => {
  // Two trajectories of one turn; a third cell is padding.
  const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 3], turnCount: [1, 2] });

  it("is 1 - Var(target - V) / Var(target) over the turns taken", () => {
    // Targets 1, 3, 5 (cell 1 is padding): mean 3, variance 8/3. Errors 1, 1, -1: mean 1/3, variance (4/9 + 4/9 + 16/9) / 3 = 8/9.
    const target_nt = Float64Array.of(1, 99, 3, 5);
    assertClose([explainedVariance(batch, Float64Array.of(0, 0, 2, 6), target_nt)], [1 - 1 / 3], 1e-12);
    assertClose([explainedVariance(batch, target_nt, target_nt)], [1], 0);
  });

  it("is 0 where the targets are equal, even if their sum rounds", () => {
    // (0.1 + 0.1 + 0.1) / 3 is not 0.1: the deviation of 2^-56 is no spread to divide by.
    const target_nt = new Float64Array(4).fill(0.1);
    assert.equal(explainedVariance(batch, Float64Array.of(0, 0, 1, 2), target_nt), 0);
  });
});

describe("criticGradient", () => {
  const batch = batchOf({ groupId: ["a", "a"], return_n: [1, 3], turnCount: [1, 2] });
  const value_nt = Float64Array.of(1, 50, 2, 6);
  const target_nt = Float64Array.of(3, 0, 2, 2);

  it("is coef (V - target) / K over K turns taken, and leaves the coefficient out of the loss", () => {
    // Errors -2, 0, 4 over 3 turns; the padding's 50 counts for nothing. (4 + 0 + 16) / 2 / 3.
    const { loss, dValue_nt } = criticGradient(batch, value_nt, target_nt, 0.5);
    assertClose([loss], [10 / 3], 1e-12);
    assertClose(dValue_nt, [-1 / 3, 0, 0, 2 / 3], 1e-12);
  });

  it("counts only the turns of the set, and is 0 where no trajectory takes them", () => {
    // Turn 1 was taken by the second trajectory alone: error 4, loss 8.
    const { loss, dValue_nt } = criticGradient(batch, value_nt, target_nt, 1, [1]);
    assert.equal(loss, 8);
    assertClose(dValue_nt, [0, 0, 0, 4], 0);
    const none = criticGradient(batch, value_nt, target_nt, 1, []);
    assert.equal(none.loss, 0);
    assertClose(none.dValue_nt, [0, 0, 0, 0], 0);
  });
});
