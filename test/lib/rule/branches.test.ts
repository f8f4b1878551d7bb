import assert from "node:assert/strict";
import { advantages, collect, createPolicy, createRng, make, recipe, type Batch } from "turnwise";
import { assertClose, batchOf } from "./support";

const row = recipe("hierarchicalGrpo");
const leaving = (tree: string, turn: number) => ({ tree, parent: tree, turn });

describe("proposals among trees, attempts within one (hierarchical GRPO)", () => {
  // Two trees of two, which fork at turn 1: 1 and 0, mean .5; 3 and 2, mean 2.5. The trees' mean is 1.5.
  const base = batchOf({ groupId: ["a", "a", "a", "a"], return_n: [1, 0, 3, 2], turnCount: [2, 2, 2, 2] });
  const [first, , third] = base.trajectoryId as [string, string, string, string];
  const batch: Batch = { ...base, fork_n: [null, leaving(first, 1), null, leaving(third, 1)] };

  it("credits a shared turn with the mean of its tree, and those after the fork with what they add to it", () => {
    const { advantage_ntl } = advantages(batch, row);
    assertClose(advantage_ntl, [-1, 0.5, -1, -0.5, 1, 0.5, 1, -0.5], 1e-12);
  });

  it("counts every tree once among the trees, however many attempts it has", () => {
    // Trees of three (1, 0, 2: mean 1) and one (4): mean 2.5. The one that nobody left has forked at turn 1, too: 4 - 4 = 0.
    const uneven = { ...base, return_n: new Float64Array([1, 0, 2, 4]) };
    const fork_n = [null, leaving(first, 1), leaving(first, 1), null];
    const { advantage_ntl } = advantages({ ...uneven, fork_n }, row);
    assertClose(advantage_ntl, [-1.5, 0, -1.5, -1, -1.5, 1, 1.5, 0], 1e-12);
  });

  it("keeps the groups apart", () => {
    const two = { ...batch, groupId: ["a", "a", "b", "b"] };
    // Each group has a single tree: its proposal is compared with nothing.
    assertClose(advantages(two, row).advantage_ntl, [0, 0.5, 0, -0.5, 0, 0.5, 0, -0.5], 1e-12);
  });

  it("without forks is the group's mean, for every turn", () => {
    const mean = advantages(base, recipe("drGrpo")).advantage_ntl;
    assertClose(advantages(base, row).advantage_ntl, mean, 1e-12);
    const none = base.trajectoryId.map(() => null);
    assertClose(advantages({ ...base, fork_n: none }, row).advantage_ntl, mean, 1e-12);
  });

  it("adds up: a proposal's and an attempt's advantages are the return minus the mean of the trees", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec);
    const forks = { kind: "atTurn", turn: 1, leaves: 3 } as const;
    const grown = collect(env, policy, { groups: 4, groupSize: 6, rng: createRng(2), forks });
    const { advantage_ntl } = advantages(grown, row);
    const [N, T, L] = grown.shape;
    let attempts = 0;
    for (let n = 0; n < N; n++) {
      if (grown.turnCount_n[n]! < 2) continue;
      attempts++;
      const group = [...grown.groupId.keys()].filter((k) => grown.groupId[k] === grown.groupId[n]);
      // Both trees have three leaves, so that the mean of their means is that of the group.
      const mean = group.reduce((a, k) => a + grown.return_n[k]!, 0) / group.length;
      const [proposal, attempt] = [0, 1].map((t) => advantage_ntl[(n * T + t) * L]!);
      assertClose([proposal! + attempt!], [grown.return_n[n]! - mean], 1e-12);
    }
    assert.ok(attempts > 5);
  });
});

describe("the same, compared with the others alone (C3)", () => {
  const c3 = recipe("c3");

  it("credits a first turn against the other first turns, a continuation against those of the same one", () => {
    // Trees of 1, 0, 2 (mean 1) and 4, 2 (mean 3), which fork at turn 1.
    const base = batchOf({
      groupId: ["a", "a", "a", "a", "a"],
      return_n: [1, 0, 2, 4, 2],
      turnCount: [2, 2, 2, 2, 2],
    });
    const [first, , , fourth] = base.trajectoryId as [string, string, string, string];
    const fork_n = [null, leaving(first, 1), leaving(first, 1), null, leaving(fourth, 1)];
    // First turns: 1 - 3 = -2 and 3 - 1 = 2. Continuations: 1 - (0 + 2)/2 = 0, 0 - 1.5, 2 - .5; 4 - 2 and 2 - 4.
    const expected = [-2, 0, -2, -1.5, -2, 1.5, 2, 2, 2, -2];
    assertClose(advantages({ ...base, fork_n }, c3).advantage_ntl, expected, 1e-12);
  });

  it("compares with nothing where a first turn, or a continuation, is alone", () => {
    const alone = batchOf({ groupId: ["a", "b"], return_n: [1, 0], turnCount: [2, 2] });
    assertClose(advantages(alone, c3).advantage_ntl, [0, 0, 0, 0], 0);
  });

  it("is hierarchical GRPO's, n / (n - 1) times as large for n siblings", () => {
    const env = make("LookUp-v0");
    const forks = { kind: "atTurn", turn: 1, leaves: 4 } as const;
    const policy = createPolicy(env.spec);
    const grown = collect(env, policy, { groups: 8, groupSize: 8, rng: createRng(3), forks });
    const [N, T, L] = grown.shape;
    const [own, mean] = [c3, row].map((rule) => advantages(grown, rule).advantage_ntl);
    for (let n = 0; n < N; n++) {
      // Two trees of four.
      const scale = [2, 4 / 3];
      for (let t = 0; t < grown.turnCount_n[n]!; t++) {
        const i = (n * T + t) * L;
        const after = t === 0 && grown.turnCount_n[n] === 1 ? undefined : scale[Math.min(t, 1)];
        if (after !== undefined) assertClose([own![i]!], [mean![i]! * after], 1e-12);
      }
    }
  });
});
