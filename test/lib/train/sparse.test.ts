import assert from "node:assert/strict";
import {
  collect,
  createRng,
  LogLinearPolicy,
  make,
  TabularPolicy,
  train,
  type Policy,
  type TrainRecord,
  createOptimizer,
} from "turnwise";

/** The same policies without their sparse gradients. */
class DenseTable extends TabularPolicy {
  override sparseBackward = undefined as never;
}
class DenseLogLinear extends LogLinearPolicy {
  override sparseBackward = undefined as never;
}

const kinds = {
  tabular: {
    world: "Codebreaker-v0",
    sparse: (valueHead: boolean) =>
      new TabularPolicy(make("Codebreaker-v0").spec, { valueHead, syntaxPrior: 2 }),
    dense: (valueHead: boolean) => new DenseTable(make("Codebreaker-v0").spec, { valueHead, syntaxPrior: 2 }),
  },
  "log-linear": {
    world: "LookUp-v0",
    sparse: (valueHead: boolean) => new LogLinearPolicy(make("LookUp-v0").spec, { valueHead }),
    dense: (valueHead: boolean) => new DenseLogLinear(make("LookUp-v0").spec, { valueHead }),
  },
} as const;

const records = async (
  env: string,
  policy: Policy,
  recipe: "grpo" | "soGrpo" | "ppo",
): Promise<unknown[]> => {
  const all: unknown[] = [];
  const run = train({ env, policy, recipe, updates: 5, groups: 4, groupSize: 4, seed: 1 });
  for await (const { seconds: _seconds, ...record } of run as AsyncIterable<TrainRecord>) all.push(record);
  return all;
};

for (const [kind, { world, sparse: withBlocks, dense: without }] of Object.entries(kinds)) {
  describe(`the sparse gradient of a ${kind} policy`, () => {
    for (const recipe of ["grpo", "soGrpo", "ppo"] as const) {
      it(`${recipe}: gives the records, parameters and slots of the dense one, to the last bit`, async () => {
        const [sparse, dense] = [withBlocks(recipe === "ppo"), without(recipe === "ppo")];
        assert.deepEqual(await records(world, sparse, recipe), await records(world, dense, recipe));
        assert.deepEqual(sparse.state(), dense.state());
      });
    }

    it("is the dense gradient, names its blocks in order, and is 0 elsewhere also at the second time", () => {
      const env = make("LookUp-v0");
      const policy =
        kind === "tabular" ? new TabularPolicy(env.spec) : new LogLinearPolicy(env.spec, { perTurn: true });
      const all = collect(env, policy, { groups: 6, groupSize: 2, rng: createRng(1) });
      const dLogProb_ntl = Float64Array.from(all.mask_ntl, (_, i) => 1 + (i % 3));
      for (const rows of [
        [0, 1, 2, 3],
        [4, 5],
      ]) {
        const { values, width, blocks } = policy.sparseBackward(all, { dLogProb_ntl }, rows);
        assert.deepEqual(Array.from(values), Array.from(policy.backward(all, { dLogProb_ntl }, rows)));
        const begins = Array.from(blocks);
        assert.deepEqual(
          begins,
          [...new Set(begins)].sort((a, b) => a - b),
        );
        const inside = new Set(begins.flatMap((from) => Array.from({ length: width }, (_, k) => from + k)));
        values.forEach((value, i) => assert.ok(value === 0 || inside.has(i), `${i}`));
        assert.ok(begins.length > 0 && inside.size < values.length);
      }
    });
  });
}

describe("an optimizer's step on blocks", () => {
  it("Adam goes on from a restored state with blocks as from its own", () => {
    const choice = {
      kind: "adam",
      learningRate: 0.1,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      maxGradNorm: null,
    } as const;
    const first = createOptimizer(choice);
    const parameters = new Float64Array(8);
    const at = (block: number): { values: Float64Array; width: number; blocks: number[] } => {
      const values = new Float64Array(8);
      values[2 * block] = 1;
      return { values, width: 2, blocks: [2 * block] };
    };
    first.step(parameters, at(1));
    const copy = parameters.slice();
    const second = createOptimizer(choice);
    second.restore(JSON.parse(JSON.stringify(first.state())) as ReturnType<typeof first.state>);
    first.step(parameters, at(3));
    second.step(copy, at(3));
    assert.deepEqual(copy, parameters);
    // Block 1 moves on by its momentum although the second gradient is 0 there; blocks 0 and 2 never move.
    assert.ok(parameters[2]! < -0.1 && parameters[6]! < 0);
    assert.deepEqual([parameters[0], parameters[4]], [0, 0]);
    assert.deepEqual(second.state(), first.state());
  });
});
