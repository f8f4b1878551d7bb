import assert from "node:assert/strict";
import { collect, createRng, make, toolChainPolicy, train } from "turnwise";
import { withMismatch } from "turnwise/internal/rollout/mismatch";

describe("mismatch of rollout and trainer", () => {
  const env = make("ToolChain-v0");
  const policy = toolChainPolicy(env.spec, { beta: 2, seed: 0 });
  const batch = collect(env, policy, { groups: 8, groupSize: 8, rng: createRng(1).split("rollout") });

  it("changes stored log-probs of sampled tokens alone, and those of sure tokens hardly", () => {
    const noisy = withMismatch(batch, 0.5, createRng(2).split("mismatch"));
    assert.deepEqual(noisy.token_ntl, batch.token_ntl);
    for (let i = 0; i < batch.mask_ntl.length; i++) {
      const change = Math.abs(noisy.oldLogProb_ntl[i]! - batch.oldLogProb_ntl[i]!);
      if (batch.mask_ntl[i] === 0) assert.equal(change, 0);
      else assert.ok(change > 0);
    }
    const sure = { ...batch, oldLogProb_ntl: batch.oldLogProb_ntl.map(() => -1e-9) };
    const after = withMismatch(sure, 0.5, createRng(2).split("mismatch")).oldLogProb_ntl;
    assert.ok(after.every((x) => Math.abs(x + 1e-9) < 1e-6));
  });

  it("has the spread of Student's t with 3 degrees of freedom", () => {
    // With p = 1/2 the change is noise x t / 2; the quartiles of t_3 are +-.765.
    const half = { ...batch, oldLogProb_ntl: batch.oldLogProb_ntl.map(() => Math.log(0.5)) };
    const draws = Array.from({ length: 40 }, (_, k) => {
      const { oldLogProb_ntl } = withMismatch(half, 2, createRng(k).split("mismatch"));
      return [...oldLogProb_ntl].filter((_, i) => batch.mask_ntl[i] === 1).map((x) => x - Math.log(0.5));
    }).flat();
    const inside = draws.filter((t) => Math.abs(t) < 0.765).length / draws.length;
    // Some 20,000 draws: a standard error of .004.
    assert.ok(Math.abs(inside - 0.5) < 0.02, String(inside));
  });

  it("noise 0 gives the batch itself back, and the records of a run without the option", async () => {
    assert.equal(withMismatch(batch, 0, createRng(2)), batch);
    const run = async (o: object): Promise<unknown[]> => {
      const all: unknown[] = [];
      for await (const { metrics } of train({ env: "ToolChain-v0", recipe: "grpo", updates: 3, ...o }))
        all.push(metrics);
      return all;
    };
    assert.deepEqual(await run({ logProbNoise: 0 }), await run({}));
    assert.notDeepEqual(await run({ logProbNoise: 0.5 }), await run({}));
  });

  it("a run with mismatch that is stopped and resumed yields the records of one that never stopped", async () => {
    const options = { env: "ToolChain-v0", recipe: "grpo", logProbNoise: 0.5, seed: 3 } as const;
    const whole = train({ ...options, updates: 4 });
    const expected: unknown[] = [];
    for await (const { metrics } of whole) expected.push(metrics);
    const first = train({ ...options, updates: 2 });
    const got: unknown[] = [];
    for await (const { metrics } of first) got.push(metrics);
    for await (const { metrics } of train({ resume: first.checkpoint(), updates: 4 })) got.push(metrics);
    assert.deepEqual(got, expected);
  });

  it("refuses noise below 0", () => {
    assert.throws(() => train({ env: "ToolChain-v0", recipe: "grpo", updates: 1, logProbNoise: -1 }), {
      name: "RangeError",
      message: "Cannot train: logProbNoise must be at least 0, got -1.",
    });
  });
});
