// Uses internals of turnwise/policy.
import assert from "node:assert/strict";
import { LogLinearPolicy, make, recipe, train, type Policy, type TrainOptions } from "turnwise";
import { type LogLinearOptions } from "turnwise/internal/policy/index";
import { PlainLogLinear } from "../policy/plainLogLinear";

async function records(options: Omit<TrainOptions, "env">, policy: Policy): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { seconds: _seconds, ...record } of train({ ...options, env: "ToolChain-v0", policy })) {
    all.push(record);
  }
  return all;
}

describe("training the log-linear policy of ToolChain-v0", () => {
  const { spec } = make("ToolChain-v0");
  const prior = [
    { place: 1, observation: 0, token: 4, weight: 2 },
    { place: 2, observation: 1, token: 1, weight: 2 },
  ];
  const cases: [title: string, options: Omit<TrainOptions, "env">, policy: LogLinearOptions][] = [
    ["grpo", { recipe: "grpo", updates: 4, seed: 1 }, { seed: 1, prior }],
    ["grpo, temperature 0.7", { recipe: "grpo", updates: 3, seed: 2, temperature: 0.7 }, { seed: 2, prior }],
    [
      "grpo with an entropy bonus and Adam",
      { recipe: recipe("grpo", { regularizer: { entropyCoef: 0.01 } }), updates: 3, seed: 3 },
      { seed: 3 },
    ],
    [
      "seeUpo, rows of every turn its own",
      { recipe: "seeUpo", updates: 3, seed: 4 },
      { seed: 4, perTurn: true },
    ],
    ["soGrpo, which goes back twice", { recipe: "soGrpo", updates: 3, seed: 5 }, { seed: 5, prior }],
  ];
  for (const [title, options, policy] of cases) {
    it(`${title}: records equal to the last bit those of the formula computed cell by cell`, async () => {
      const fast = await records(options, new LogLinearPolicy(spec, policy));
      assert.deepEqual(fast, await records(options, new PlainLogLinear(spec, policy)));
    }).timeout(60_000);
  }
});
