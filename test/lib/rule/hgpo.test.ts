import assert from "node:assert/strict";
import fc from "fast-check";
import { type Batch, advantages, recipe, type RecipeOverrides } from "turnwise";
import { assertClose, batchOf } from "./support";

/** Two trajectories of two turns, then one of one turn, that are paid at their ends; gamma 1. */
function seen(observation_nt: readonly (readonly string[])[], return_n: readonly number[]): Batch {
  const turnCount = observation_nt.map((all) => all.length);
  return { ...batchOf({ groupId: return_n.map(() => "a"), return_n, turnCount }), observation_nt };
}

const of = (batch: Batch, advantage: object, overrides: RecipeOverrides = {}): Float64Array => {
  const o = { scale: "none", ...overrides } as const;
  return advantages(batch, recipe("hgpo", { ...o, advantage: { gamma: 1, ...advantage } })).advantage_ntl;
};

describe("GiGPO's anchor groups, refined by history (HGPO)", () => {
  // "end" is seen three times: after "left" with 6 and 0, after "right" with 9.
  const batch = seen([["left", "end"], ["left", "end"], ["right", "end"]], [6, 0, 9]); // prettier-ignore

  it("averages what the groups of the last 1, 2, ... observations say, the finer ones with more weight", () => {
    // k = 1: "left": 6, 0: +-3. "end": 6, 0, 9, mean 5: 1, -5, 4. "right": alone. k = 2: "left end": +-3.
    // First turns: +-3 and 0. Second turns, weights 2 and 3: (2 * 1 + 3 * 3) / 5, (2 * -5 + 3 * -3) / 5; 4 alone.
    assertClose(of(batch, { history: 1 }), [3, 11 / 5, -3, -19 / 5, 0, 4], 1e-12);
  });

  it("weighs all groups the same with alpha 0, and the finer ones by squares with alpha 2", () => {
    assertClose(of(batch, { history: 1, alpha: 0 }), [3, 2, -3, -4, 0, 4], 1e-12);
    // Weights 4 and 9: (4 + 27) / 13, (-20 - 27) / 13.
    assertClose(of(batch, { history: 1, alpha: 2 }), [3, 31 / 13, -3, -47 / 13, 0, 4], 1e-12);
  });

  it("leaves out groups that say 0 of a visit", () => {
    // "end": 6, 0, 3, mean 3: 3, -3, 0. The third visit is alone in its finer group, so nothing is left to say.
    const even = seen([["left", "end"], ["left", "end"], ["right", "end"]], [6, 0, 3]); // prettier-ignore
    assertClose(of(even, { history: 1 }), [3, 3, -3, -3, 0, 0], 1e-12);
    // "left": 4, 2, 0: the first among "left end" is +-1, among "end" (4, 2, 6: mean 4) it says 0: only the finer counts.
    const one = seen([["left", "end"], ["left", "end"], ["right", "end"]], [4, 2, 6]); // prettier-ignore
    assertClose(of(one, { history: 1 }), [1, 1, -1, (2 * -2 + 3 * -1) / 5, 0, 2], 1e-12);
  });

  it("averages in the episode's group on demand, with weight 1", () => {
    // Episode: mean 5: 1, -5, 4. First turns: (1 + 2 * 3) / 3, (-5 - 6) / 3, 4 alone. Second, history 0: (A + 2 A) / 3 = A.
    assertClose(of(batch, { history: 0, episode: true }), [7 / 3, 1, -11 / 3, -5, 4, 4], 1e-12);
  });

  it("with history 0 is the part of GiGPO among visits: GiGPO minus the group's mean", () => {
    const words = fc.array(fc.constantFrom("x", "y"), { minLength: 1, maxLength: 3 });
    const runs = fc.array(fc.tuple(words, fc.integer({ min: -4, max: 4 })), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(runs, (all) => {
        const some = seen(all.map(([o]) => o), all.map(([, r]) => r)); // prettier-ignore
        const gigpo = advantages(some, recipe("gigpo", { regularizer: { klReference: null } }));
        const mean = advantages(some, recipe("drGrpo"));
        const visits = gigpo.advantage_ntl.map((a, i) => a - mean.advantage_ntl[i]!);
        assertClose(of(some, { history: 0, gamma: 0.95 }), visits, 1e-9);
      }),
    );
  });

  it("is a third of GiGPO with weight 2 where the episode's group joins and nothing says 0", () => {
    // Episode +-3; "left" +-3 and "end" +-3: (3 + 2 * 3) / 3.
    const two = seen([["left", "end"], ["left", "end"]], [6, 0]); // prettier-ignore
    const gigpo = recipe("gigpo", { advantage: { weight: 2, gamma: 1 }, regularizer: { klReference: null } });
    const third = advantages(two, gigpo).advantage_ntl.map((a) => a / 3);
    assertClose(of(two, { history: 0, episode: true }), third, 1e-12);
    assertClose(third, [3, 3, -3, -3], 1e-12);
  });

  it("does not compare tasks, divides by the deviation with n, and reads nothing of turns that were not taken", () => {
    const two = batchOf({ groupId: ["a", "a", "b", "b"], return_n: [6, 0, 1, 5], turnCount: [2, 2, 1, 1] });
    const same = { ...two, observation_nt: [["s", "t"], ["s", "t"], ["s"], ["s"]] }; // prettier-ignore
    same.reward_nt[5] = NaN;
    const scale = { kind: "group", unbiased: false, epsilon: 0 } as const;
    assertClose(of(same, { history: 2 }, { scale }), [1, 1, -1, -1, -1, 0, 1, 0], 1e-12);
  });

  it("is finite in the paper's row, where groups of equal returns have no deviation", () => {
    const flat = seen([["s", "t"], ["s", "t"]], [1, 1]); // prettier-ignore
    assert.deepEqual([...advantages(flat, recipe("hgpo")).advantage_ntl], [0, 0, 0, 0]);
  });
});
