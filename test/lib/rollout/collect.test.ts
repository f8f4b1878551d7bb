// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import { make, TabularPolicy, collect, createRng } from "turnwise";
import { concatBatches, selectTrajectories } from "turnwise/internal/batch/select";

describe("collect()", () => {
  const env = make("LookUp-v0");
  const policy = (): TabularPolicy => new TabularPolicy(env.spec, { initialScale: 1, seed: 2 });
  const collected = (groups: number, firstGroup = 0): ReturnType<typeof collect> =>
    collect(env, policy(), { groups, groupSize: 3, rng: createRng(1), firstGroup });

  it("two collections from the same generator are the same batch", () => {
    assert.deepEqual(collected(5), collected(5));
  });

  it("a batch does not depend on how it was split", () => {
    assert.deepEqual(concatBatches([collected(2), collected(3, 2)]), collected(5));
  });

  it("running episodes side by side draws what one environment alone draws", () => {
    const alone = Object.create(env, { fork: { value: undefined } }) as typeof env;
    const bound = new Proxy(alone, {
      get: (_, key) => {
        const value: unknown = key === "fork" ? undefined : Reflect.get(env, key, env);
        return typeof value === "function" ? (value.bind(env) as unknown) : value;
      },
    });
    assert.deepEqual(
      collect(bound, policy(), { groups: 4, groupSize: 2, rng: createRng(3) }),
      collect(env, policy(), { groups: 4, groupSize: 2, rng: createRng(3) }),
    );
  });

  it("the members of a group share their task, and their turns differ", () => {
    const batch = collect(env, policy(), { groups: 6, groupSize: 8, rng: createRng(4) });
    for (let group = 0; group < 6; group++) {
      const ids = new Set(batch.groupId.slice(group * 8, group * 8 + 8));
      assert.equal(ids.size, 1);
      assert.match([...ids][0]!, new RegExp(`^${group}:fact=[0-3]$`));
    }
    assert.ok(new Set(batch.context_nt.map((contexts) => contexts.join())).size > 6);
  });

  it("masks what was not written, and stores the log-probs of what was", () => {
    const batch = collect(env, policy(), { groups: 8, groupSize: 4, rng: createRng(7) });
    const [N, T, L] = batch.shape;
    assert.deepEqual([N, T, L], [32, 2, 2]);
    const { logProb_ntl } = policy().evaluate(batch);
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < T; t++) {
        for (let cell = (n * T + t) * L; cell < (n * T + t + 1) * L; cell++) {
          assert.equal(batch.mask_ntl[cell], t < batch.turnCount_n[n]! ? 1 : 0);
          assert.ok(Math.abs(batch.oldLogProb_ntl[cell]! - logProb_ntl[cell]!) < 1e-14);
        }
      }
      assert.equal(batch.return_n[n], batch.reward_nt[n * T]! + batch.reward_nt[n * T + 1]!);
      assert.equal(batch.observation_nt[n]!.length, batch.turnCount_n[n]);
      assert.equal(batch.truncated[n], false);
    }
  });

  it("a low temperature samples the likeliest tokens, and stores the tempered log-probs", () => {
    const batch = collect(env, policy(), { groups: 2, groupSize: 4, rng: createRng(1), temperature: 1e-3 });
    assert.equal(new Set(batch.token_ntl.slice(0, 2)).size > 0, true);
    for (let n = 1; n < 8; n++)
      assert.deepEqual(batch.token_ntl.slice(n * 4, n * 4 + 2), batch.token_ntl.slice(0, 2));
    assert.ok(Math.abs(batch.oldLogProb_ntl[0]!) < 1e-9);
  });

  it("selectRows() keeps every field of a row together", () => {
    const batch = collected(3);
    const rows = selectTrajectories(batch, [4, 0]);
    assert.deepEqual(rows.trajectoryId, [batch.trajectoryId[4], batch.trajectoryId[0]]);
    assert.deepEqual(Array.from(rows.token_ntl.slice(0, 4)), Array.from(batch.token_ntl.slice(16, 20)));
    assert.equal(rows.return_n[0], batch.return_n[4]);
    assert.deepEqual(selectTrajectories(batch, [0, 1, 2, 3, 4, 5, 6, 7, 8]), batch);
  });

  it("names what is wrong with its options", () => {
    const bad = (o: object): void => {
      collect(env, policy(), { groups: 1, groupSize: 1, rng: createRng(1), ...o });
    };
    assert.throws(() => bad({ groups: 0 }), {
      name: "RangeError",
      message: "Cannot collect: groups must be an integer >= 1, got 0.",
    });
    assert.throws(() => bad({ temperature: 0 }), {
      message: "Cannot collect: temperature must be > 0, got 0.",
    });
  });
});
