// Uses internals of turnwise/exact.
import assert from "node:assert/strict";
import fc from "fast-check";
import { exactReturn, expectedUpdate } from "turnwise/internal/exact/checkRule/expectation";
import { cases } from "turnwise/internal/exact/checkRule/games";
import { advantages, recipe } from "turnwise";
import { assertClose, batchOf } from "./support";

describe("leave-one-out over the trajectories alive at a turn", () => {
  const row = recipe("perTurnLoo");
  const batch = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 4, 7], turnCount: [1, 2, 3] });

  it("compares a return with those of the others that take this turn", () => {
    // Turn 0: others (4, 7), (1, 7), (1, 4): 1 - 5.5, 4 - 4, 7 - 2.5. Turn 1: 4 - 7, 7 - 4. Turn 2: alone, its return 7.
    assertClose(advantages(batch, row).advantage_ntl, [-4.5, 0, 0, 0, -3, 0, 4.5, 3, 7], 1e-12);
  });

  it("gives nothing to a turn that is alone, if the row says so", () => {
    const zero = recipe("perTurnLoo", { advantage: { alone: "zero" } });
    assertClose(advantages(batch, zero).advantage_ntl, [-4.5, 0, 0, 0, -3, 0, 4.5, 3, 0], 1e-12);
  });

  it("has 0 for small groups of two and more, and the mean with its own on demand", () => {
    const small = recipe("perTurnLoo", { advantage: { minGroup: 3 } });
    assertClose(advantages(batch, small).advantage_ntl, [-4.5, 0, 0, 0, 0, 0, 4.5, 0, 7], 1e-12);
    // Means 4, 5.5: 1 - 4, 4 - 4, 7 - 4; 4 - 5.5, 7 - 5.5.
    const mean = recipe("perTurnLoo", { advantage: { baseline: "mean" } });
    assertClose(advantages(batch, mean).advantage_ntl, [-3, 0, 0, 0, -1.5, 0, 3, 1.5, 7], 1e-12);
  });

  it("does not compare tasks, and reads nothing of a turn that was not taken", () => {
    const two = batchOf({ groupId: ["a", "b", "a", "b"], return_n: [1, 10, 3, 14], turnCount: [1, 2, 1, 1] });
    two.reward_nt[1] = NaN;
    // a: 1 - 3, 3 - 1. b: 10 - 14, 14 - 10 at turn 0; at turn 1 the second is alone: 10.
    assertClose(advantages(two, row).advantage_ntl, [-2, 0, -4, 10, 2, 0, 4, 0], 1e-12);
  });

  it("is RLOO where all trajectories take as many turns", () => {
    const returns = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(returns, fc.integer({ min: 1, max: 3 }), (return_n, turns) => {
        const even = batchOf({
          groupId: ["a", "a", "b", "b"],
          return_n,
          turnCount: return_n.map(() => turns),
        });
        const rloo = advantages(even, recipe("rloo")).advantage_ntl;
        assertClose(advantages(even, row).advantage_ntl, rloo, 1e-12);
      }),
    );
  });

  for (const { game, policy } of Object.values(cases)) {
    it(`is unbiased on "${game.name}": its expected step is the exact gradient, in groups of 2 and 3`, () => {
      const { gradient } = exactReturn(game, policy);
      for (const G of [2, 3]) assertClose(expectedUpdate(row, game, policy, G).mean, gradient, 1e-12);
    });
  }

  it('is biased where a turn that is alone gets nothing: trajectories of "look up" differ in length', () => {
    const { game, policy } = cases.lookUp;
    const { gradient } = exactReturn(game, policy);
    const zero = recipe("perTurnLoo", { advantage: { alone: "zero" } });
    const { mean } = expectedUpdate(zero, game, policy, 2);
    const off = Math.max(...mean.map((x, i) => Math.abs(x - gradient[i]!)));
    assert.ok(off > 0.1 * Math.max(...gradient.map(Math.abs)), String(off));
  });
});
