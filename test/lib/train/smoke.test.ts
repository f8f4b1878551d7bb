import assert from "node:assert/strict";
import { collect, createRng, make, recipe, train, type PolicyOptions } from "turnwise";
import { randomReturn } from "turnwise/exact";

const WORLDS: [id: string, options: Record<string, unknown>][] = [
  ["BiArmBandit-v0", { riskyChance: 0.6 }],
  ["KeyDoor-v0", { turns: 2, colours: 2 }],
  ["LookUp-v0", { facts: 2, toolReliability: 0.9 }],
  ["MatrixChain-v0", { game: "ladder" }],
  ["TMaze-v0", { length: 1 }],
];
const POLICIES: [name: string, options: PolicyOptions][] = [
  ["tabular", {}],
  ["log-linear", { kind: "logLinear" }],
  ["mlp", { kind: "mlp", width: 8, window: 8 }],
  ["gru", { kind: "gru", width: 8, window: 16 }],
  ["transformer", { kind: "transformer", width: 8, window: 16 }],
];

describe("every policy learns in every small world", () => {
  for (const [id, envOptions] of WORLDS) {
    it(`${id}: each of the five ends above the random agent by more than four standard errors`, async () => {
      const env = make(id, envOptions);
      const random = randomReturn(env);
      for (const [name, policy] of POLICIES) {
        const row = recipe("drGrpo", { update: { optimizer: { learningRate: 0.05 } } });
        const run = train({ env, policy, recipe: row, updates: 30, groups: 4, groupSize: 8, seed: 1 });
        for await (const { metrics } of run) assert.ok(Number.isFinite(metrics["policy/loss"]));
        const { return_n } = collect(env, run.policy, { groups: 300, groupSize: 1, rng: createRng(2) });
        const mean = return_n.reduce((a, b) => a + b) / 300;
        const variance = return_n.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 300;
        assert.ok(mean > random + 4 * Math.sqrt(variance / 300), `${name}: ${mean} against ${random}`);
      }
    }).timeout(60000);
  }
});
