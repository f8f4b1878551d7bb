import assert from "node:assert/strict";
import { collect, createPolicy, createRng, make, train, type Env, type Policy } from "turnwise";
import { optimalPolicy } from "turnwise/exact";
import { collectWithDemonstrations, playedByPolicy } from "turnwise/internal/train/distil/demonstrate";

const env = make("LookUp-v0");

describe("demonstrations in a group", () => {
  const asked = { groups: 3, groupSize: 4, rng: createRng(5) };
  const student = createPolicy(env.spec);
  const teacher = optimalPolicy(env, { softness: 0 });
  const batch = collectWithDemonstrations(env, student, { teacher, demonstrations: 1 }, asked);

  it("are the last of their group, begin as the others do, and earn the optimum", () => {
    assert.deepEqual(Array.from(batch.demonstration_n!), [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    for (const n of [3, 7, 11]) {
      assert.equal(batch.groupId[n], batch.groupId[n - 1]);
      assert.deepEqual(batch.observation_nt[n]![0], batch.observation_nt[n - 1]![0]);
      assert.equal(batch.return_n[n], 1);
    }
    assert.equal(new Set(batch.trajectoryId).size, 12);
  });

  it("have the student's contexts and log-probs, and leave the student's own draws alone", () => {
    const again = student.evaluate(batch).logProb_ntl;
    batch.mask_ntl.forEach((mask, i) => mask === 1 && assert.equal(batch.oldLogProb_ntl[i], again[i]));
    const alone = collect(env, student, { ...asked, groupSize: 3 });
    const own = playedByPolicy(batch);
    assert.deepEqual(own.token_ntl, alone.token_ntl);
    assert.deepEqual(own.trajectoryId, alone.trajectoryId);
    assert.equal(playedByPolicy(alone), alone);
  });

  it("leave out of the metrics what the teacher earns, and count as samples", async () => {
    const run = train({ env, recipe: "rlPlus", updates: 1, seed: 1, groups: 2, groupSize: 2 });
    const { value } = await run.next();
    assert.equal(value!.samples, 4);
    assert.ok(value!.metrics["reward/mean"]! < 0.5);
  });

  it("go on after a checkpoint with the same bits, be the teacher the optimum or a policy", async () => {
    const skilled = train({ env, recipe: "rlPlus", updates: 40, seed: 9 });
    for await (const record of skilled) void record;
    const teachers: ("optimal" | Policy)[] = ["optimal", skilled.policy];
    for (const teacher of teachers) {
      const options = { env, recipe: "rlPlus", teacher, seed: 3 } as const;
      const whole = train({ ...options, updates: 8 });
      for await (const record of whole) void record;
      const half = train({ ...options, updates: 4 });
      for await (const record of half) void record;
      const resume = JSON.parse(JSON.stringify(half.checkpoint()));
      const rest = train({ env: env as Env, resume, teacher, updates: 8 });
      for await (const record of rest) void record;
      assert.deepEqual(rest.policy.parameters, whole.policy.parameters);
    }
  });

  it("need room for the policy in their group", () => {
    assert.throws(() => train({ env, recipe: "rlPlus", groupSize: 1, updates: 1 }), {
      name: "RangeError",
      message: "Cannot train with recipe rlPlus: groupSize must be above its demonstrations, 1, got 1.",
    });
    assert.throws(() => collectWithDemonstrations(env, student, { teacher, demonstrations: 4 }, asked), {
      name: "RangeError",
      message:
        "Cannot collect: a group must have room for the policy next to 4 demonstrations, got groupSize 4.",
    });
  });
});
