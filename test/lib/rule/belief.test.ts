// Uses internals of turnwise/train.
import assert from "node:assert/strict";
import { advantages, collect, createPolicy, createRng, make, recipe, train, type Batch } from "turnwise";
import { TeacherGap } from "turnwise/internal/train/stepReward/teacherGap";
import { optimalPolicy } from "turnwise/exact";
import { assertClose, batchOf } from "./support";

const row = recipe("agentOpsd", { scale: "none" });

describe("an advantage weighed by the moves of a belief (AgentOPSD)", () => {
  const base = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [2, 2] });
  const credited = (step: readonly number[], rule = row): Float64Array =>
    advantages({ ...base, step_nt: Float64Array.from(step) } as Batch, rule).advantage_ntl;

  it("gives more to the turn that moved the belief with the outcome, and less to the other one", () => {
    // Mean 1/2, log-odds 0; A = 1/2, -1/2. Evidence log 3, then 0: V = 3/4, 3/4, moves 1/4 and 0, z = 1 and -1 but for 1e-6
    // beside the deviation 1/8. Success: m = 1.2 and .8, weights 1.1 and .9. Failure: the same moves weigh .9 and 1.1.
    const off = 1e-6 / (1 / 8 + 1e-6);
    const [up, down] = [1 + 0.1 * (1 - off), 1 - 0.1 * (1 - off)];
    const log3 = Math.log(3);
    const expected = [0.5 * up, 0.5 * down, -0.5 * down, -0.5 * up];
    assertClose(credited([log3, 0, log3, 0]), expected, 1e-12);
  });

  it("cuts a turn's weight at the band", () => {
    const three = batchOf({ groupId: ["a", "a"], return_n: [1, 0], turnCount: [3, 3] });
    // Moves .25, 0, 0: z = sqrt 2, -sqrt(1/2) twice. 1 + .2 sqrt 2 is cut at 1.2; 1 - .2 sqrt(1/2) is not.
    const step_nt = Float64Array.from([Math.log(3), 0, 0, 0, 0, 0]);
    const whole = recipe("agentOpsd", { scale: "none", advantage: { weight: 1 } });
    const { advantage_ntl } = advantages({ ...three, step_nt } as Batch, whole);
    assert.ok(Math.abs(advantage_ntl[0]! - 0.6) < 1e-12);
    assert.ok(Math.abs(advantage_ntl[1]! - 0.5 * (1 - 0.2 * Math.SQRT1_2)) < 1e-5);
    // No evidence, no moves: the advantage alone.
    assertClose(advantage_ntl.subarray(3), [-0.5, -0.5, -0.5], 1e-12);
  });

  it("is the group's advantage with weight 0, without evidence, or with a single turn", () => {
    const mean = [0.5, 0.5, -0.5, -0.5];
    assertClose(
      credited([3, -1, 2, 5], recipe("agentOpsd", { scale: "none", advantage: { weight: 0 } })),
      mean,
      0,
    );
    assertClose(credited([0, 0, 0, 0]), mean, 1e-12);
    assertClose(advantages(base, row).advantage_ntl, mean, 1e-12);
    const one = batchOf({ groupId: ["a", "a"], return_n: [1, 0] });
    assertClose(
      advantages({ ...one, step_nt: Float64Array.of(4, -4) } as Batch, row).advantage_ntl,
      [0.5, -0.5],
      0,
    );
  });

  it("stays finite with evidence of any size, and with returns outside 0 and 1", () => {
    for (const evidence of [1e4, -1e4]) {
      const found = credited([evidence, -evidence, evidence, evidence]);
      assert.ok(found.every(Number.isFinite));
      assert.ok(found.every((a) => Math.abs(a) >= 0.45 && Math.abs(a) <= 0.55));
    }
    const far = { ...base, return_n: Float64Array.of(7, -20), step_nt: Float64Array.of(1, 2, 3, 4) } as Batch;
    assert.ok(advantages(far, row).advantage_ntl.every(Number.isFinite));
  });

  it("reads the evidence from the exact optimum: its log-ratio to the policy, summed over a turn", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec);
    const batch = collect(env, policy, { groups: 2, groupSize: 2, rng: createRng(5) });
    const { step_nt } = new TeacherGap().judge({ batch, env });
    const { logProb_ntl } = optimalPolicy(env).evaluate(batch);
    const [N, T, L] = batch.shape;
    for (let nt = 0; nt < N * T; nt++) {
      let gap = 0;
      for (let i = nt * L; i < (nt + 1) * L; i++) {
        if (batch.mask_ntl[i] === 1) gap += logProb_ntl[i]! - batch.oldLogProb_ntl[i]!;
      }
      assert.ok(Math.abs(step_nt[nt]! - gap) < 1e-12);
    }
    assert.ok(step_nt.some((gap) => gap !== 0));
  });

  it("trains", async () => {
    const run = train({
      env: "LookUp-v0",
      recipe: "agentOpsd",
      groups: 4,
      groupSize: 4,
      updates: 3,
      seed: 2,
    });
    let judged = 0;
    for await (const { metrics } of run) judged += metrics["stepReward/fracJudged"]!;
    assert.equal(judged, 3);
  });
});
