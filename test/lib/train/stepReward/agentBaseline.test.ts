// Uses internals of turnwise/train.
import assert from "node:assert/strict";
import { advantages, make, recipe, train, type Batch, type Checkpoint } from "turnwise";
import { AgentBaseline } from "turnwise/internal/train/stepReward/agentBaseline";
import { assertClose, batchOf } from "../../rule/support";

/** Scout and opener take turns; the second trajectory ends before the opener has one. */
const batch: Batch = {
  ...batchOf({ groupId: ["a", "a", "b"], return_n: [1, 0.5, 2], turnCount: [2, 1, 2] }),
  agentId_nt: [["scout", "opener"], ["scout"], ["scout", "opener"]],
};

describe("minus the running mean of an agent (RAE)", () => {
  it("is the mean before the trajectory, each agent's own, which moves if the agent took a turn", () => {
    // Decay .5. Scout: 0, then .5 * 1 = .5, then .25 + .25 = .5. Opener: 0, then .5, unmoved by the second trajectory.
    const judge = new AgentBaseline({ decay: 0.5 });
    const { step_nt, metrics } = judge.judge({ batch });
    assertClose(step_nt, [0, 0, -0.5, 0, -0.5, -0.5], 0);
    assert.deepEqual(judge.state(), { scout: 1.25, opener: 1.25 });
    // Five turns: -(0 + 0 + .5 + .5 + .5) / 5.
    assert.equal(metrics["stepReward/mean"], -0.3);
  });

  it("goes on in the next batch, and from a state that was stored", () => {
    const judge = new AgentBaseline({ decay: 0.5 });
    judge.judge({ batch });
    const stored = JSON.parse(JSON.stringify(judge.state())) as unknown;
    const resumed = new AgentBaseline({ decay: 0.5 });
    resumed.restore(stored);
    const [a, b] = [judge, resumed].map((one) => one.judge({ batch }).step_nt);
    assert.deepEqual(a, b);
    assert.equal(a![0], -1.25);
  });

  it("is one running mean in a world with a single agent", () => {
    const alone = batchOf({ groupId: ["a", "a"], return_n: [1, 3] });
    const judge = new AgentBaseline({ decay: 0.5 });
    assertClose(judge.judge({ batch: alone }).step_nt, [0, -0.5], 0);
    assert.deepEqual(judge.state(), { agent: 1.75 });
  });

  it("is added to the return of the trajectory", () => {
    const { step_nt } = new AgentBaseline({ decay: 0.5 }).judge({ batch });
    const { advantage_ntl } = advantages({ ...batch, step_nt }, recipe("rae"));
    // 1, 1; .5 - .5; 2 - .5, 2 - .5.
    assertClose(advantage_ntl, [1, 1, 0, 0, 1.5, 1.5], 0);
  });

  it("resumes from its checkpoint to the same bits, baselines included", async () => {
    const options = { env: make("HandOver-v0"), recipe: "rae", groups: 2, groupSize: 2, seed: 4 } as const;
    const whole = train({ ...options, updates: 4 });
    for await (const _ of whole);
    const half = train({ ...options, env: make("HandOver-v0"), updates: 2 });
    for await (const _ of half);
    const stored = JSON.parse(JSON.stringify(half.checkpoint())) as Checkpoint;
    assert.deepEqual(Object.keys(stored.stepReward as object), ["scout", "opener"]);
    const resumed = train({ resume: stored, updates: 4 });
    for await (const _ of resumed);
    assert.deepEqual(resumed.checkpoint().stepReward, whole.checkpoint().stepReward);
    assert.deepEqual([...resumed.policy.parameters], [...whole.policy.parameters]);
  });
});
