// Uses internals of turnwise/train.
import assert from "node:assert/strict";
import { advantages, collect, createRng, make, recipe, train, type Batch, type Policy } from "turnwise";
import { greedyBaseline } from "turnwise/internal/train/stepReward/greedyBaseline";

const env = make("LookUp-v0");
const rng = createRng(3);

describe("minus the greedy return (ReMax)", () => {
  let policy: Policy;
  let batch: Batch;
  let greedy: Batch;
  let step_nt: Float64Array;
  let evaluations: number | undefined;

  before(async () => {
    // A policy that has learned something, whose greedy episodes earn more at some starts than at others.
    const run = train({ env: make("LookUp-v0"), recipe: "rloo", updates: 20, seed: 1 });
    for await (const _ of run);
    policy = run.policy;
    batch = collect(env, policy, { groups: 3, groupSize: 4, rng });
    greedy = collect(env, policy, { groups: 3, groupSize: 1, rng, greedy: true });
    const judged = greedyBaseline({ batch, policy, env, rng: createRng(9), rollout: rng });
    step_nt = judged.step_nt;
    evaluations = judged.metrics["stepReward/evaluations"];
  });

  it("is the return of the one greedy episode from the same start, for every turn that was taken", () => {
    const [N, T] = batch.shape;
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < T; t++) {
        const wanted = t < batch.turnCount_n[n]! ? 0 - greedy.return_n[Math.floor(n / 4)]! : 0;
        assert.equal(step_nt[n * T + t], wanted, `${n} ${t}`);
      }
    }
    assert.ok(greedy.return_n.some((r) => r !== 0));
    // A greedy episode for each of three starts, over twelve trajectories.
    const turns = greedy.turnCount_n.reduce((a, b) => a + b, 0);
    assert.equal(evaluations, turns / 12);
  });

  it("is added to the return, as the row shapes it", () => {
    const row = recipe("reMax");
    const given = { ...batch, step_nt };
    const { advantage_ntl } = advantages(given, row);
    const [N, T, L] = batch.shape;
    for (let i = 0; i < N * T * L; i++) {
      const n = Math.floor(i / (T * L));
      const wanted = batch.mask_ntl[i] === 1 ? batch.return_n[n]! - greedy.return_n[Math.floor(n / 4)]! : 0;
      assert.equal(advantage_ntl[i], wanted);
    }
    // Without a trainer that plays greedy episodes, it is REINFORCE.
    assert.deepEqual(
      advantages(batch, row).advantage_ntl,
      advantages(batch, recipe("reinforce")).advantage_ntl,
    );
  });

  it("is 0 in sum with a policy that is certain, as every trajectory is then the greedy one", () => {
    const certain = { ...greedy, groupId: greedy.groupId };
    const again = greedyBaseline({ batch: certain, policy, env, rng });
    certain.return_n.forEach((r, n) => assert.equal(r + again.step_nt[n * certain.shape[1]]!, 0));
  });

  it("trains from any group size, one included", async () => {
    const seen: number[] = [];
    for await (const { metrics: m } of train({
      env,
      recipe: "reMax",
      groups: 6,
      groupSize: 1,
      updates: 2,
      seed: 1,
    })) {
      seen.push(m["stepReward/fracJudged"]!);
    }
    assert.deepEqual(seen, [1, 1]);
  });
});
