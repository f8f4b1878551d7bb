// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import { collect, createRng, make, TabularPolicy, type Batch } from "turnwise";
import { libraryWorlds } from "turnwise/internal/env/worlds";
import { playTable } from "turnwise/internal/rollout/tableGames";

describe("rollouts of a table in a game", () => {
  /** Draws by `sample`, turn by turn, as any policy does. */
  class Plain extends TabularPolicy {}

  const plan = [{ group: 0, member: 0, seed: 1 }];
  const play = (env: ReturnType<typeof make>, policy: TabularPolicy): Batch | undefined =>
    playTable(env, policy, plan, 1, () => createRng(1));

  for (const { id } of libraryWorlds) {
    it(`give in ${id} the batch, rows and evaluation of any policy in any environment`, () => {
      const env = make(id);
      for (const memory of ["history", "turnObservation", "observation"] as const) {
        const options = { memory, initialScale: 1 };
        const [table, plain] = [new TabularPolicy(env.spec, options), new Plain(env.spec, options)];
        assert.equal(play(env, plain), undefined);
        for (const temperature of [1, 0.7]) {
          const o = () => ({ groups: 3, groupSize: 4, rng: createRng(7), temperature });
          const [one, other] = [collect(env, table, o()), collect(env, plain, o())];
          assert.deepEqual(one, other);
          assert.deepEqual(table.evaluate(one), plain.evaluate(other));
        }
        assert.deepEqual(table.state(), plain.state());
      }
    });
  }

  it("are left to `sample` and `step` where somebody watches these, or where turns have another form", () => {
    const env = make("LookUp-v0");
    assert.ok(play(env, new TabularPolicy(env.spec)));
    const watched = new TabularPolicy(env.spec);
    watched.sample = (...given) => TabularPolicy.prototype.sample.apply(watched, given);
    assert.equal(play(env, watched), undefined);
    assert.equal(play(env, new TabularPolicy({ ...env.spec, maxTokens: 3 })), undefined);
    const spied = make("LookUp-v0");
    spied.step = (action) => env.step(action);
    assert.equal(play(spied, new TabularPolicy(env.spec)), undefined);
  });

  it("go on with the right rows when the policy was restored in between", () => {
    const env = make("LookUp-v0");
    const policy = new TabularPolicy(env.spec);
    const o = () => ({ groups: 3, groupSize: 4, rng: createRng(7) });
    const before = policy.state();
    const batch = collect(env, policy, o());
    const after = policy.state();
    policy.restore(before);
    assert.deepEqual(collect(env, policy, o()), batch);
    assert.deepEqual(policy.state(), after);
  });
});
