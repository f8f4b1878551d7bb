// Uses internals of turnwise/policy.
import assert from "node:assert/strict";
import {
  createPolicy,
  make,
  recipe,
  train,
  type Checkpoint,
  type Policy,
  type TrainOptions,
  type Batch,
} from "turnwise";
import type { PolicyState } from "turnwise/internal/policy/policy";
import { assertClose } from "../rule/support";

const row = recipe("rloo", { update: { optimizer: { kind: "sgd", learningRate: 2 } } });

/** What every update sampled, and the policy before it. */
async function watched(o: Partial<TrainOptions>): Promise<{ batch: Batch; before: PolicyState }[]> {
  const seen: { batch: Batch; before: PolicyState }[] = [];
  const policy = fresh();
  const run = train({ env: "LookUp-v0", recipe: row, updates: 5, seed: 1, policy, ...o });
  run.witness = {
    sampled: (batch) => void seen.push({ batch, before: policy.state() }),
    prepared: () => undefined,
    stepped: () => undefined,
  };
  for await (const _ of run);
  return seen;
}

const fresh = (): Policy => createPolicy(make("LookUp-v0").spec, { initialScale: 0.5 });

/** log pi of a batch's tokens under the policy as it was. */
function logProbs(batch: Batch, state: PolicyState): Float64Array {
  const policy = fresh();
  policy.restore(state);
  return policy.evaluate(batch).logProb_ntl;
}

describe("a rollout that is some updates behind", () => {
  it("samples by the policy of that many updates ago, and by the first one as long as there is none", async () => {
    for (const staleness of [1, 3]) {
      const seen = await watched({ staleness });
      for (const [k, { batch }] of seen.entries()) {
        const sampler = seen[Math.max(0, k - staleness)]!.before;
        assertClose(
          batch.oldLogProb_ntl,
          logProbs(batch, sampler),
          1e-9,
          `staleness ${staleness}, update ${k}`,
        );
      }
      const { batch, before } = seen[4]!;
      assert.ok(batch.oldLogProb_ntl.some((x, i) => Math.abs(x - logProbs(batch, before)[i]!) > 1e-3));
    }
  });

  it("is a usual run where it is 0 updates behind", async () => {
    const [none, zero] = [await watched({}), await watched({ staleness: 0 })];
    assert.deepEqual(zero, none);
  });

  it("goes on from a checkpoint, saved as text, to the same bits", async () => {
    const options = { env: "LookUp-v0", recipe: "tis", seed: 3, groups: 4, staleness: 2, topP: 0.9 } as const;
    const whole = train({ ...options, updates: 7 });
    const expected: unknown[] = [];
    for await (const { metrics } of whole) expected.push(metrics);
    for (const stop of [1, 2, 5]) {
      const first = train({ ...options, updates: stop });
      const got: unknown[] = [];
      for await (const { metrics } of first) got.push(metrics);
      const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as Checkpoint;
      assert.equal(checkpoint.past?.length, Math.min(stop, 2));
      const second = train({ resume: checkpoint, updates: 7 });
      for await (const { metrics } of second) got.push(metrics);
      assert.deepEqual(got, expected);
      assert.deepEqual(second.policy.parameters, whole.policy.parameters);
    }
  });

  it("keeps nothing in the checkpoint of a run that is never behind", async () => {
    const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 1 });
    for await (const _ of run);
    assert.equal("past" in run.checkpoint(), false);
  });

  it("refuses to be behind by a part of an update", () => {
    assert.throws(() => train({ env: "LookUp-v0", recipe: "grpo", updates: 1, staleness: 0.5 }), {
      name: "RangeError",
      message: "Cannot train: staleness must be an integer of at least 0, got 0.5.",
    });
  });
});

describe("what the rollout engine says of its tokens", () => {
  const small = { env: "LookUp-v0", recipe: row, updates: 1, seed: 1 } as const;

  it("is processed by temperature and topP, or raw: the policy's own log-probs", async () => {
    for (const mismatch of [{ topP: 0.7 }, { temperature: 0.6 }]) {
      const [processed] = await watched({ updates: 1, ...mismatch });
      const [raw] = await watched({ updates: 1, ...mismatch, rolloutLogProb: "raw" });
      assert.deepEqual(raw!.batch.token_ntl, processed!.batch.token_ntl);
      assertClose(raw!.batch.oldLogProb_ntl, logProbs(raw!.batch, raw!.before), 1e-9);
      assert.ok(
        processed!.batch.oldLogProb_ntl.some((x, i) => Math.abs(x - raw!.batch.oldLogProb_ntl[i]!) > 0.01),
      );
    }
  });

  it("under topP makes a token likelier, by 1 over the probability of its nucleus", async () => {
    const [{ batch, before }] = (await watched({ updates: 1, topP: 0.7 })) as [
      { batch: Batch; before: PolicyState },
    ];
    const own = logProbs(batch, before);
    for (let i = 0; i < own.length; i++) {
      if (batch.mask_ntl[i] !== 1) continue;
      const mass = Math.exp(own[i]! - batch.oldLogProb_ntl[i]!);
      assert.ok(mass >= 0.7 - 1e-9 && mass <= 1 + 1e-9, String(mass));
    }
  });

  it("is said where nobody could tell the two apart", () => {
    assert.throws(() => train({ ...small, rolloutLogProb: "raw" }), {
      name: "RangeError",
      message:
        'Cannot train: rolloutLogProb "raw" needs a temperature other than 1 or topP below 1, without which ' +
        "raw and processed log-probs are the same, got 1 and 1.",
    });
  });

  it("has no place beside demonstrations", () => {
    for (const option of [{ staleness: 1 }, { topP: 0.9 }, { topP: 0.9, rolloutLogProb: "raw" }] as const) {
      assert.throws(() => train({ ...small, recipe: "rlPlus", teacher: "optimal", ...option }), {
        name: "RangeError",
        message:
          /^Cannot train with recipe rlPlus: (staleness must be 0|topP must be 1) with demonstrations, /,
      });
    }
  });
});
