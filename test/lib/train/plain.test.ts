import assert from "node:assert/strict";
import { createPolicy, make, plainTrain, recipe, recipeNames, train, type RecipeName } from "turnwise";

/** Rules of this loop: all others are refused with the reason. */
const plain = recipeNames.filter((name) => {
  try {
    plainTrain({ env: "LookUp-v0", recipe: name, updates: 0 }).next();
    return true;
  } catch (error) {
    assert.match(String(error), /^RangeError: Cannot train plainly: .* needs .*Use train/);
    return false;
  }
});

/** Trains by both, and compares all bits of the parameters after each update, and of what was collected. */
async function same(given: Parameters<typeof plainTrain>[0], env: string): Promise<void> {
  const [ours, theirs] = [0, 1].map(() => createPolicy(make(env).spec, { initialScale: 0.5 }));
  const o = { ...given, groups: 4, groupSize: 3, seed: 1, updates: 3 };
  const run = train({ ...o, env, policy: theirs! });
  for (const record of plainTrain({ ...o, env, policy: ours! })) {
    const { value: other } = await run.next();
    const { update, samples, optimizerSteps, metrics } = other!;
    assert.deepEqual(
      [record.update, record.samples, record.optimizerSteps],
      [update, samples, optimizerSteps],
    );
    for (const [name, x] of Object.entries(record.metrics)) {
      assert.equal(metrics[name as keyof typeof metrics], x, name);
    }
    assert.deepEqual(ours!.parameters, theirs!.parameters);
  }
  assert.equal((await run.next()).done, true);
}

describe("plainTrain, the algorithm as one loop", () => {
  it("covers GRPO, SeeUPO and most rules without a critic or a reference", () => {
    const expected: RecipeName[] = ["grpo", "seeUpo", "rloo", "reinforce", "drGrpo", "gspo", "sapo", "cispo"];
    assert.deepEqual(
      expected.filter((name) => !plain.includes(name)),
      [],
    );
  });

  for (const name of plain) {
    it(`trains ${name} to the bits of train()`, async () => {
      await same({ recipe: name, updates: 0 }, "LookUp-v0");
      await same({ recipe: name, updates: 0 }, "ToolChain-v0");
    });
  }

  it("does so for every order, with minibatches, epochs and steps shared out", async () => {
    const update = { epochs: 2, minibatches: 3 };
    for (const kind of ["reverse", "forward", "random"] as const) {
      for (const steps of ["each", "shared"] as const) {
        const order = { kind, steps, oldLogProb: "recomputed", carry: "clipped" } as const;
        await same({ recipe: recipe("grpo", { order, update }), updates: 0 }, "ToolChain-v0");
      }
    }
  });

  it("learns, and refuses what it would ignore", () => {
    const sgd = { update: { optimizer: { kind: "sgd", learningRate: 8 } } } as const;
    const o = { env: "LookUp-v0", policy: { syntaxPrior: 3 }, updates: 100, seed: 1 };
    for (const name of ["grpo", "seeUpo"] as const) {
      const last = [...plainTrain({ ...o, recipe: recipe(name, sgd) })].at(-1)!;
      assert.ok(last.metrics["reward/mean"]! > 0.8, `${name}: ${last.metrics["reward/mean"]!}`);
    }
    const more = { ...o, recipe: "grpo", temperature: 2 } as const;
    assert.throws(() => plainTrain(more).next(), /^RangeError: Cannot train plainly.*temperature/);
    const kl = recipe("grpo", { regularizer: { klReference: { coef: 0.1 } } });
    assert.throws(() => plainTrain({ ...o, recipe: kl }).next(), /grpo needs a reference policy/);
  });
});
