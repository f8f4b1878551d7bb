import assert from "node:assert/strict";
import { glossary, type Policy, recipe, recipeNames, type Recipe, train, type TrainRecord } from "turnwise";
import { measuredOnLookUp } from "turnwise/internal/rule/measured";
import { assertClose } from "./support";
import { choiceValues, pairs, trainsOn } from "./worlds";

async function run(row: Recipe, updates: number): Promise<{ records: TrainRecord[]; policy: Policy }> {
  const training = train({ env: "LookUp-v0", recipe: row, updates, groups: 6, groupSize: 6, seed: 5 });
  const records: TrainRecord[] = [];
  for await (const record of training) records.push(record);
  return { records, policy: training.policy };
}

describe("every recipe in the trainer", () => {
  for (const name of recipeNames) {
    it(`${name} trains on LookUp-v0: finite metrics of the glossary, and parameters that moved where there is something to learn`, async () => {
      const { records, policy } = await run(recipe(name), 4);
      assert.equal(records.length, 4);
      for (const { metrics } of records) {
        for (const [metric, value] of Object.entries(metrics)) {
          assert.ok(metric in glossary, metric);
          assert.ok(Number.isFinite(value), `${metric} is ${String(value)}`);
        }
      }
      // A table that begins uniform finds after a demonstration what it is itself: OPSD has nothing to learn there.
      assert.equal(
        policy.parameters.some((x) => x !== 0),
        name !== "opsd",
      );
    });
  }
});

describe("every recipe on three registered environments", () => {
  for (const [env, names] of pairs()) {
    it(`${env}: one update each, with finite metrics`, () => trainsOn(env, names));
  }

  it("and every environment with every way to aggregate, scale, filter, order, fork, correct and form ratios that a recipe has", () => {
    const missing = [...pairs()].flatMap(([env, names]) => {
      const found = new Set(names.flatMap(choiceValues));
      return [...new Set(recipeNames.flatMap(choiceValues))]
        .filter((value) => !found.has(value))
        .map((value) => `${env}: ${value}`);
    });
    assert.deepEqual(missing, []);
    for (const name of recipeNames) {
      const times = [...pairs().values()].filter((names) => names.includes(name)).length;
      assert.ok(times >= 3, `${name} is tried on ${times}`);
    }
  });
});

describe("what explain() says a recipe reached on LookUp-v0", () => {
  it("is what it reaches: grpo, seed 1 (else run: npm run generated)", async () => {
    let reached = 0;
    const training = train({ env: "LookUp-v0", recipe: "grpo", updates: 150, seed: 1, exactEvery: 150 });
    for await (const { metrics } of training) reached = metrics["return/exact"] ?? reached;
    assertClose([reached], [measuredOnLookUp["grpo"]![0]!], 1e-3);
  }).timeout(30_000);
});

describe("update orders on a policy with separate parameters for every history", () => {
  const oneStep = { epochs: 1, minibatches: 1, optimizer: { kind: "sgd", learningRate: 3 } } as const;
  const row = (order: "simultaneous" | "reverse" | "forward"): Recipe =>
    recipe("seeUpo", {
      order: order === "simultaneous" ? order : { kind: order, carry: "off" },
      update: oneStep,
    });

  it("without carry, one gradient step in any order is the simultaneous step", async () => {
    const simultaneous = (await run(row("simultaneous"), 3)).policy.parameters;
    for (const order of ["reverse", "forward"] as const) {
      assertClose((await run(row(order), 3)).policy.parameters, simultaneous, 1e-12, order);
    }
    assert.ok(simultaneous.some((x) => x !== 0));
  });

  it("with the carry, reverse order differs from it", async () => {
    const simultaneous = (await run(row("simultaneous"), 3)).policy.parameters;
    const reverse = (await run(recipe("seeUpo", { update: oneStep }), 3)).policy.parameters;
    assert.ok(reverse.some((x, i) => Math.abs(x - simultaneous[i]!) > 1e-6));
  });
});

describe("SeeUPO with learning rate 0", () => {
  it("leaves the carry at 1, so that M is the advantage", async () => {
    for (const variant of ["theory", "authors"] as const) {
      const still = recipe("seeUpo", { variant, update: { optimizer: { learningRate: 0 } } });
      const { records } = await run(still, 2);
      for (const { metrics } of records) {
        assertClose([metrics["policy/carryMin"]!, metrics["policy/carryMax"]!], [1, 1], 1e-12, variant);
      }
    }
  });
});
