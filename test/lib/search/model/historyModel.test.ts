import assert from "node:assert/strict";
import { checkEnv, createPolicy, enumerateReturn, make, optimalReturn } from "turnwise";
import { historyModel } from "turnwise/search";

const worlds = [
  ["LookUp-v0", { toolReliability: 0.7 }],
  ["Tiger-v0", { maxTurns: 3 }],
  ["TMaze-v0", { length: 2 }],
  ["HandOver-v0", { doors: 2, tries: 2 }],
] as const;

describe("the model of histories", () => {
  for (const [id, options] of worlds) {
    it(`gives every policy the same return as the world: ${id}`, () => {
      const env = make(id, options);
      const model = historyModel(env);
      checkEnv(model);
      for (const seed of [0, 1, 2]) {
        const policy = createPolicy(env.spec, { initialScale: 2, seed });
        const [real, foretold] = [env, model].map((one) => enumerateReturn(one, policy).J);
        assert.ok(Math.abs(real! - foretold!) < 1e-12, `${real} and ${foretold}`);
      }
      assert.ok(Math.abs(optimalReturn(model).J - optimalReturn(env).J) < 1e-12);
    });
  }

  it("sums hidden states out: a look-up foretells each of four facts alike, and what it shows settles the rest", () => {
    const model = historyModel(make("LookUp-v0"));
    const [first] = model.start();
    assert.equal(model.start().length, 1);
    const shown = model.transition(first!.state, [1, 2]);
    assert.deepEqual(
      shown.map(({ probability }) => probability),
      [0.25, 0.25, 0.25, 0.25],
    );
    // fact=0 was shown: ANSWER 0 is right for sure.
    const [after] = model.transition(shown[0]!.state, [0, 2]);
    assert.deepEqual([after!.probability, after!.reward, after!.terminated], [1, 1, true]);
  });

  it("sums them out once for each turn after a history", () => {
    const model = historyModel(make("Tiger-v0"));
    const { state } = model.start()[0]!;
    assert.equal(model.transition(state, [0]), model.transition(state, [0]));
  });

  it("refuses an environment that lists nothing", () => {
    const { spec } = make("LookUp-v0");
    assert.throws(() => historyModel({ spec } as never), {
      name: "TypeError",
      message:
        "Cannot model LookUp-v0: the environment must list its outcomes, but start and transition are missing.",
    });
  });
});
