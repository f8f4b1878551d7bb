import assert from "node:assert/strict";
import { advantages, recipe, train, type Batch, type RecipeOverrides } from "turnwise";
import { assertClose, batchOf } from "./support";

const rule = (overrides: RecipeOverrides = {}) => recipe("graphGpo", { scale: "none", ...overrides });

/** Trajectories that saw these observations and were paid at their ends. */
function seen(
  observation_nt: readonly (readonly string[])[],
  return_n: readonly number[],
  groupId: readonly string[] = return_n.map(() => "a"),
): Batch {
  const turnCount = observation_nt.map((all) => all.length);
  return { ...batchOf({ groupId, return_n, turnCount }), observation_nt };
}

const credited = (batch: Batch, overrides?: RecipeOverrides): Float64Array =>
  advantages(batch, rule(overrides)).advantage_ntl;

describe("an advantage by the distance to success in the graph of a group (GraphGPO)", () => {
  // s -> m -> success; s -> x -> failure; s -> m -> failure. One step leads from m to success, two from s, none from x or failure:
  // these count as three. The turns are worth 10 * .1^1 and 10; .01 and .01; 1 and .01.
  const batch = seen([["s", "m"], ["s", "x"], ["s", "m"]], [1, 0, 0]); // prettier-ignore

  it("compares the turns that leave the same observation, by how near to success they lead", () => {
    // From s: 1, .01, 1, mean .67. From m: 10 and .01, mean 5.005. From x: one turn, nothing. The episodes: 2/3, -1/3, -1/3.
    const [up, down] = [2 / 3, -1 / 3];
    assertClose(
      credited(batch),
      [up + 0.33, up + 4.995, down - 0.66, down, down + 0.33, down - 4.995],
      1e-12,
    );
  });

  it("gives a good turn of a failed episode credit, which the episode alone would not", () => {
    const found = credited(batch, { advantage: { weight: 2 } });
    assert.ok(found[4]! > 0 && found[5]! < 0);
    assertClose(
      credited(batch, { advantage: { weight: 0 } }),
      [2, 2, -1, -1, -1, -1].map((x) => x / 3),
      1e-12,
    );
  });

  it("divides by the deviations of the episodes and of the turns that are compared, n - 1, with 1e-6", () => {
    // Returns 1, 0, 0: deviation sqrt(1/3). From s: sqrt((.33^2 + .66^2 + .33^2) / 2). From m: two that differ by 9.99.
    const E = (x: number): number => x / (Math.sqrt(1 / 3) + 1e-6);
    const S = (x: number): number => x / (Math.sqrt(0.6534 / 2) + 1e-6);
    const M = 4.995 / (9.99 * Math.SQRT1_2 + 1e-6);
    const expected = [
      E(2 / 3) + S(0.33),
      E(2 / 3) + M,
      E(-1 / 3) + S(-0.66),
      E(-1 / 3),
      E(-1 / 3) + S(0.33),
      E(-1 / 3) - M,
    ];
    assertClose(advantages(batch, recipe("graphGpo")).advantage_ntl, expected, 1e-9);
  });

  it("takes the shortest way, through turns of other trajectories, and knows loops", () => {
    // s -> s -> s -> success: one step from s. Its turns are worth 1, 1 and 10, and those of the failure, s -> s -> failure, 1 and .1.
    const loops = seen([["s", "s", "s"], ["s", "s"]], [1, 0]); // prettier-ignore
    // Mean of 1, 1, 10, 1, .1: 2.62.
    const graph = [1, 1, 10, 1, 0.1].map((x) => x - 2.62);
    const found = credited(loops);
    assertClose(
      found.slice(0, 5),
      graph.map((x, k) => x + (k < 3 ? 0.5 : -0.5)),
      1e-12,
    );
    // The long way through b ends well, and a failed trajectory shows a shorter one: from a to c.
    const ways = seen([["a", "b", "c"], ["a", "c"]], [1, 0]); // prettier-ignore
    // d(c) = 1, d(b) = 2, d(a) = 2: from a, .1 by b and 1 by c, mean .55; from c, 10 and 10 * .1^3.
    assertClose(credited(ways), [0.5 - 0.45, 0.5, 0.5 + 4.995, -0.5 + 0.45, -0.5 - 4.995, 0], 1e-12);
  });

  it("says nothing without a success, and joins no two groups", () => {
    const failed = seen([["s", "m"], ["s", "x"]], [-1, -2]); // prettier-ignore
    assertClose(credited(failed), [0.5, 0.5, -0.5, -0.5], 1e-12);
    const two = seen([["s"], ["t"], ["s"], ["t"]], [1, 0, 0, 0], ["a", "a", "b", "b"]);
    assertClose(credited(two), [0.5, -0.5, 0, 0], 1e-12);
  });

  it("asks the world whether an episode has succeeded, and the return only where it does not say", () => {
    const info_nt = [[{}, { success: false }], [{}, { success: true }], [{}, { success: false }]]; // prettier-ignore
    // Now x leads to success: from s, x is worth 1, and m .01, since m leads nowhere.
    const graph = [-0.33, 0, 0.66, 0, -0.33, 0];
    const found = credited({ ...batch, info_nt });
    assertClose(
      found,
      graph.map((x, k) => x + (k < 2 ? 2 / 3 : -1 / 3)),
      1e-12,
    );
  });

  it("trains", async () => {
    const run = train({
      env: "KeyDoor-v0",
      recipe: "graphGpo",
      groups: 4,
      groupSize: 4,
      updates: 3,
      seed: 2,
    });
    for await (const { metrics } of run) assert.ok(Number.isFinite(metrics["policy/loss"]));
  });
});
