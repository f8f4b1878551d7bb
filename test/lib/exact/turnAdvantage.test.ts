// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import { collect, createPolicy, createRng, make, TabularPolicy } from "turnwise";
import { turnBatch } from "turnwise/internal/batch/turnBatch";
import { exactTurns } from "turnwise/exact";
import { LOOK, ONE, seen, tinyEnv, ZERO } from "./tinyEnv";

describe("exactTurns", () => {
  const env = make("LookUp-v0");
  const policy = createPolicy(env.spec, { kind: "tabular", initialScale: 1, seed: 4 });
  let truth: ReturnType<typeof exactTurns>;
  before(() => (truth = exactTurns(env, policy)));

  it("values and advantages add up to the return, on average over what the policy does", () => {
    const batch = collect(env, policy, { groups: 4000, groupSize: 1, rng: createRng(1) });
    const [N, T] = batch.shape;
    const value_nt = truth.value_nt(batch);
    const advantage_nt = truth.advantage_nt(batch);
    // E[A | h] = 0 at the first turn, so its sampled mean is within four standard errors of 0; V(h_1) averages to J.
    const own = Array.from({ length: N }, (_, n) => advantage_nt[n * T]!);
    const mean = own.reduce((a, b) => a + b) / N;
    const deviation = Math.sqrt(own.reduce((sum, x) => sum + (x - mean) ** 2, 0) / N);
    assert.ok(Math.abs(mean) < (4 * deviation) / Math.sqrt(N), `${mean}`);
    assert.ok(Math.abs(value_nt[0]! - truth.J) < 1e-12); // one start observation
  });

  it("at the last turn, return = value + advantage", () => {
    const batch = collect(env, policy, { groups: 50, groupSize: 2, rng: createRng(2) });
    const [, T] = batch.shape;
    const [value_nt, advantage_nt] = [truth.value_nt(batch), truth.advantage_nt(batch)];
    batch.turnCount_n.forEach((turns, n) => {
      if (turns < T || batch.observation_nt[n]![1]!.startsWith("error")) return; // the fact is known after a look-up
      const last = n * T + turns - 1;
      assert.ok(Math.abs(value_nt[last]! + advantage_nt[last]! - batch.reward_nt[last]!) < 1e-12);
    });
  });

  it("refuses a batch of another policy's contexts", () => {
    const other = createPolicy(env.spec, { kind: "tabular", memory: "observation" });
    const batch = collect(env, other, { groups: 1, groupSize: 8, rng: createRng(3) });
    assert.throws(
      () => truth.value_nt({ ...batch, context_nt: batch.context_nt.map((row) => row.map(() => "nowhere")) }),
      {
        name: "RangeError",
        message:
          /^Cannot value a turn: the policy must be able to take it, but turn 0 of 0\.0 is not among its turns\.$/,
      },
    );
  });

  it("has the hand values of an environment for a sheet of paper, whose turns may be shorter than the longest", () => {
    // A turn is its first token, and ONE ends it: LOOK and ZERO are followed by one of three tokens.
    const tiny = tinyEnv({ spec: { maxTokens: 2, endToken: ONE } });
    const uniform = new TabularPolicy(tiny.spec);
    const turns = exactTurns(tiny, uniform);
    // V as in tinyEnumeration.test.ts: 3/4 x .4 + 1/4 x 38/45.
    const J = 0.75 * 0.4 + (0.25 * 38) / 45;
    const context = uniform.contextOf({ observations: [seen("?")], actions: [] });
    const batch = turnBatch([[ONE], [ZERO, LOOK]], [context, context], ["?", "?"], 2);
    const near = (actual: Float64Array, expected: readonly number[]): void => {
      assert.equal(actual.length, expected.length);
      expected.forEach((x, n) => assert.ok(Math.abs(actual[n]! - x) < 1e-12, `${actual[n]} is not ${x}`));
    };
    near(turns.value_nt(batch), [J, J]);
    near(turns.advantage_nt(batch), [0.5 - J, 0.75 - J]); // 2 x 1/4 and 3/4
    // A turn that cannot be: LOOK needs a second token.
    const impossible = turnBatch([[LOOK]], [context], ["?"], 2);
    assert.throws(() => turns.value_nt(impossible), {
      name: "RangeError",
      message:
        "Cannot value a turn: the policy must be able to take it, but turn 0 of 0 is not among its turns.",
    });
  });
});
