import assert from "node:assert/strict";
import { createPolicy, make, recipe, train } from "turnwise";
import { dyna, type DynaRecord, type DynaRun, type DynaCheckpoint, type DynaOptions } from "turnwise/search";

const base = { env: "LookUp-v0", recipe: "reinforce", groups: 2, groupSize: 4, seed: 3 } as const;

async function all(run: DynaRun): Promise<DynaRecord[]> {
  const records: DynaRecord[] = [];
  for await (const record of run) records.push(record);
  return records;
}

describe("dyna()", () => {
  it("without planning is plain training, bit by bit", async () => {
    const plain = train({ ...base, updates: 5 });
    for await (const _ of plain);
    const run = dyna({ ...base, updates: 5, planning: 0 });
    const records = await all(run);
    assert.deepEqual([...run.policy.parameters], [...plain.policy.parameters]);
    assert.equal(records.at(-1)!.modelSteps, 0);
  });

  it("counts steps of the world and of the model apart", async () => {
    const env = make("TMaze-v0", { length: 1, maxTurns: 1 });
    const records = await all(dyna({ ...base, env, updates: 3, planning: 2 }));
    // One turn an episode: 2 groups of 4 a batch, one real batch and two planned ones an update.
    assert.deepEqual(
      records.map(({ realSteps, modelSteps }) => [realSteps, modelSteps]),
      [
        [8, 16],
        [16, 32],
        [24, 48],
      ],
    );
  });

  it("counts the world alone, never its own dreams", async () => {
    const run = dyna({ ...base, updates: 3, planning: 3 });
    const records = await all(run);
    assert.equal(run.model!.steps, records.at(-1)!.realSteps);
    assert.ok(records.at(-1)!.modelSteps > records.at(-1)!.realSteps);
  });

  for (const [name, model] of Object.entries({
    count: { kind: "count" },
    exact: { kind: "exact" },
    hallucinating: { kind: "exact", hallucination: { rate: 0.3, of: "observation" } },
    "hallucinating counts": { kind: "count", hallucination: { rate: 0.3, of: "reward", beliefs: 1 } },
  } satisfies Record<string, DynaOptions["model"]>)) {
    it(`goes on from a checkpoint to the same bits: ${name}`, async () => {
      const o = {
        ...base,
        recipe: recipe("grpo", { update: { optimizer: { kind: "adam" } } }),
        planning: 2,
        model,
      };
      const whole = dyna({ ...o, updates: 4, exactEvery: true });
      const records = await all(whole);
      const half = dyna({ ...o, updates: 2, exactEvery: true });
      await all(half);
      const kept = JSON.parse(JSON.stringify(half.checkpoint())) as DynaCheckpoint;
      const rest = dyna({ resume: kept, updates: 4 });
      const further = await all(rest);
      assert.deepEqual(further, records.slice(2));
      assert.deepEqual([...rest.policy.parameters], [...whole.policy.parameters]);
    });
  }

  it("goes on to the same bits where a second policy says what each turn was worth", async () => {
    const o = { ...base, recipe: "iStar", planning: 1 } as const;
    const whole = dyna({ ...o, updates: 3 });
    const half = dyna({ ...o, updates: 1 });
    await all(whole);
    await all(half);
    const rest = dyna({ resume: half.checkpoint(), updates: 3 });
    await all(rest);
    assert.deepEqual([...rest.policy.parameters], [...whole.policy.parameters]);
  });

  it("plans with any row of the table, a critic and a reference included", async () => {
    const ppo = await all(dyna({ ...base, recipe: "ppo", updates: 2, planning: 1 }));
    const kl = recipe("grpo", { regularizer: { klReference: { coef: 0.1 } } });
    const grpo = await all(dyna({ ...base, recipe: kl, updates: 2, planning: 1 }));
    for (const records of [ppo, grpo]) assert.equal(records.length, 2);
  });

  it("learns with fewer steps of the world than without planning", async () => {
    const at = async (planning: number): Promise<number> => {
      const o = { ...base, groups: 8, groupSize: 8, updates: 15, planning, exactEvery: 15 };
      return (await all(dyna({ ...o, model: { kind: "exact" } }))).at(-1)!.metrics["return/exact"]!;
    };
    assert.ok((await at(8)) > (await at(0)) + 0.05);
  });

  it("refuses what it cannot plan with", () => {
    const refused: [options: Partial<DynaOptions>, error: { name: string; message: string | RegExp }][] = [
      [
        { planning: 1.5 },
        {
          name: "RangeError",
          message: "Cannot train: planning must be an integer >= 0, got 1.5.",
        },
      ],
      [
        { model: { kind: "dream" as never } },
        {
          name: "RangeError",
          message: 'Cannot train: model.kind must be "count" or "exact", got "dream".',
        },
      ],
      [{ model: { kind: "exact", unseen: 1 } }, { name: "RangeError", message: /unseen/ }],
      [
        { resume: {} as never },
        { name: "TypeError", message: /^Cannot resume: the checkpoint must be one of dyna's/ },
      ],
    ];
    for (const [options, error] of refused)
      assert.throws(() => dyna({ ...base, updates: 1, ...options }), error);
    const kept = dyna({ ...base, updates: 1 }).checkpoint();
    assert.throws(() => dyna({ resume: kept, updates: 2, planning: 3 }), {
      name: "TypeError",
      message: "Cannot resume: the checkpoint fixes planning. Leave it out.",
    });
  });

  it("refuses what lives beside a learner and could not be shared with that of the model", () => {
    const refused: [options: Partial<DynaOptions>, message: string][] = [
      [
        { recipe: "onPolicyDistillation" },
        "Cannot plan: the rule must need no teacher, got recipe onPolicyDistillation.",
      ],
      [{ staleness: 2 }, "Cannot plan: staleness must be 0, got 2."],
      [{ recipe: "adaptiveEntropy" }, "Cannot plan: regularizer.entropyTarget must be null, got a target."],
    ];
    for (const [options, message] of refused)
      assert.throws(() => dyna({ ...base, updates: 1, ...options }), { name: "RangeError", message });
  });

  it("trains the policy that it is given", async () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec);
    const run = dyna({ ...base, env, policy, updates: 1, planning: 1 });
    await all(run);
    assert.equal(run.policy, policy);
  });
});
