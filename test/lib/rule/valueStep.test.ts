import assert from "node:assert/strict";
import {
  advantages,
  collect,
  createPolicy,
  createRng,
  make,
  recipe,
  surrogateGradient,
  train,
  type Batch,
} from "turnwise";
import { trainedTokens } from "turnwise/internal/rule/index";
import { assertClose, batchOf } from "./support";

const carl = recipe("carl");

describe("an advantage of steps in value (CARL)", () => {
  // Three turns, return 1; a second trajectory leaves it at turn 1 and earns 0; a third begins at the start and earns .2.
  const flat = batchOf({ groupId: ["a", "a", "a"], return_n: [1, 0, 0.2], turnCount: [3, 2, 1] });
  const [first] = flat.trajectoryId;
  const batch: Batch = {
    ...flat,
    oldLogProb_ntl: Float64Array.of(-1, -1, -1, -1, -1, NaN, -1, NaN, NaN),
    fork_n: [null, { tree: first!, parent: first!, turn: 1 }, null],
  };
  // From the shared turn, 1 and 0 follow: it is worth 1/2. The start has two ways to go on, worth 1/2 and .2: .35.
  // The third turn of the first row is alone, and has the advantage of the one before.
  const expected = [0.15, 0.5, 0.5, 0.15, -0.5, 0, -0.15, 0, 0];

  it("is the mean of what follows the turn minus that of what was taken beside it", () => {
    assertClose(advantages(batch, carl).advantage_ntl, expected, 1e-12);
  });

  it("trains a turn that has siblings, and once: where it was taken first", () => {
    // Not the third turn of the first row, which is alone, nor the second row's copy of the shared turn.
    assert.deepEqual([...trainedTokens(batch, carl)], [1, 1, 0, 0, 1, 0, 1, 0, 0]);
    const { loss, dLogProb_ntl } = surrogateGradient(
      {
        ...batch,
        logProb_ntl: batch.oldLogProb_ntl,
        mask_ntl: trainedTokens(batch, carl),
        ...advantages(batch, carl),
      },
      carl,
    );
    // Four turns, siblings' advantages sum to 0.
    assertClose([loss], [0], 1e-12);
    assertClose(
      dLogProb_ntl,
      [0.15, 0.5, 0, 0, -0.5, 0, -0.15, 0, 0].map((A) => 0 - A / 4),
      1e-12,
    );
  });

  it("counts a fork of a fork where it left, and a trajectory that was filtered out not at all", () => {
    const four = batchOf({
      groupId: ["a", "a", "a", "b"],
      return_n: [1, 0, 0.5, 7],
      turnCount: [3, 3, 3, 3],
    });
    const [one, two] = four.trajectoryId;
    const forked: Batch = {
      ...four,
      fork_n: [
        null,
        { tree: one!, parent: one!, turn: 1 },
        { tree: one!, parent: two!, turn: 2 },
        { tree: "gone", parent: "gone", turn: 1 },
      ],
    };
    // Turn 1 of the second is followed by 0 and .5: .25. With 1 of the first, the shared turn 0 is worth .625; it is alone.
    assertClose(
      advantages(forked, carl).advantage_ntl,
      [0, 0.375, 0.375, 0, -0.375, -0.25, 0, -0.375, 0.25, 0, 0, 0],
      1e-12,
    );
    assert.deepEqual([...trainedTokens(forked, carl)], [0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0]);
  });

  it("trains a turn that is alone, too, if asked to, with the advantage of the one before", () => {
    const all = recipe("carl", { advantage: { lone: "inherit" } });
    assert.deepEqual([...trainedTokens(batch, all)], [1, 1, 1, 0, 1, 0, 1, 0, 0]);
    assertClose(advantages(batch, all).advantage_ntl, expected, 1e-12);
  });

  it("without forks trains first turns alone, with the return minus the group's mean", () => {
    const { fork_n: _forks, ...alone } = batch;
    assertClose(advantages(alone, carl).advantage_ntl, [0.6, 0.6, 0.6, -0.4, -0.4, 0, -0.2, 0, 0], 1e-12);
    assert.deepEqual([...trainedTokens(alone, carl)], [1, 0, 0, 1, 0, 0, 1, 0, 0]);
  });

  it("sums to 0 over siblings in what the rule collects", () => {
    const env = make("TMaze-v0");
    const policy = createPolicy(env.spec, { initialScale: 1, seed: 2 });
    const played = collect(env, policy, {
      groups: 3,
      groupSize: 8,
      rng: createRng(4),
      forks: { kind: "sparse", first: 1 },
    });
    const { advantage_ntl } = advantages(played, carl);
    const trained = trainedTokens(played, carl);
    const [N, T, L] = played.shape;
    let total = 0;
    let turns = 0;
    for (let nt = 0; nt < N * T; nt++) {
      const i = Array.from({ length: L }, (_, l) => nt * L + l).find((at) => trained[at] === 1);
      if (i === undefined) continue;
      total += advantage_ntl[i]!;
      turns++;
    }
    assert.ok(turns > 20 && Math.abs(total) < 1e-9, `${turns} turns, ${total}`);
    // Of a group of one first trajectory and seven forks, at least eight and at most fourteen turns have siblings (Eq. 15).
    assert.ok(turns >= 3 * 8 && turns <= 3 * 14, String(turns));
  });
});

describe("carl", function () {
  this.timeout(60_000);

  it("learns in LookUp-v0 and TMaze-v0", async () => {
    for (const [env, wanted] of [
      ["LookUp-v0", 0.5],
      ["TMaze-v0", 0.5],
    ] as const) {
      const update = { optimizer: { kind: "adam", learningRate: 0.2 } } as const;
      const run = train({
        env,
        recipe: recipe("carl", { update }),
        updates: 60,
        groups: 8,
        groupSize: 8,
        seed: 1,
        exactEvery: 60,
      });
      let last = 0;
      for await (const { metrics } of run) last = metrics["return/exact"] ?? last;
      assert.ok(last > wanted, `${env}: ${last}`);
    }
  });
});
