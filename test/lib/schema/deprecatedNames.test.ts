// Uses internals of turnwise/rule, turnwise/schema, turnwise/sweep, turnwise/train.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as turnwise from "turnwise";
import { expectMetric } from "turnwise/internal/sweep/knownMetric";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { withCurrentNames, withFormerNames } from "turnwise/internal/schema/index";
import { settingsSchema } from "turnwise/internal/train/settings";

const { custom, readRecords, recipe, train } = turnwise;

/** A rule under the names of an earlier version, as code and plans have it. */
const former = {
  advantage: { kind: "perTurn", alone: "credit" },
  regulariser: { entropyCoef: 0.1, entropyTarget: { least: 0.01, most: 0.2 } },
  update: { optimiser: { kind: "sgd", learningRate: 2, gradClip: 3 } },
} as const;
const current = {
  advantage: { kind: "perTurn", onlyMember: "credit" },
  regularizer: { entropyCoef: 0.1, entropyTarget: { min: 0.01, max: 0.2 } },
  update: { optimizer: { kind: "sgd", learningRate: 2, maxGradNorm: 3 } },
} as const;

describe("names of an earlier version", () => {
  it("give the same rule, whether the value names its choice or not", () => {
    assert.deepEqual(recipe("grpo", former), recipe("grpo", current));
    assert.equal(recipe("grpo", { update: { optimiser: { gradClip: 2 } } }).update.optimizer.maxGradNorm, 2);
    const spring = custom("spring", () => 0);
    assert.equal(recipe("grpo", { regulariser: { own: spring } } as object).regularizer.custom, spring);
    assert.equal(recipe("grpo", { forks: { kind: "unsure" } } as object).forks.kind, "uncertain");
  });

  it("are refused beside the current name, which may mean something else", () => {
    assert.throws(
      () => recipe("grpo", { update: { optimiser: "sgd", optimizer: "adam" } }),
      /^RangeError: Cannot make recipe grpo: unknown option "update\.optimiser"\.\nDid you mean "optimizer"\?$/,
    );
  });

  it("leave unknown names to be refused", () => {
    assert.throws(
      () => recipe("grpo", { update: { optimiserr: "sgd" } } as object),
      /\nDid you mean "optimizer"\?/,
    );
  });

  it("give the same object back where there is none of them", () => {
    assert.equal(withCurrentNames(recipeSchema, current), current);
  });

  it("say once, for each name, what it is called now", async () => {
    const told: string[] = [];
    const listen = (warning: Error): void => void told.push(warning.message);
    process.on("warning", listen);
    try {
      const options = { env: "LookUp-v0", recipe: "grpo", updates: 0, storedLogProb: "processed" } as const;
      train(options);
      train(options);
      await new Promise((done) => setImmediate(done));
    } finally {
      process.off("warning", listen);
    }
    assert.deepEqual(
      told.filter((text) => text.includes("storedLogProb")),
      ["storedLogProb is now rolloutLogProb; the former name goes with the next minor version"],
    );
  });

  it("of a result's properties are read, and not listed", () => {
    const written = withFormerNames({ records: 2, omitted: ["info"] }, { lost: "omitted" });
    assert.equal((written as { lost?: readonly string[] }).lost, written.omitted);
    assert.deepEqual(written, { records: 2, omitted: ["info"] });
    assert.equal(JSON.stringify(written), '{"records":2,"omitted":["info"]}');
  });

  it("set up the same run", async () => {
    const records = async (options: object): Promise<unknown> => {
      const found = [];
      const run = train({ env: "LookUp-v0", recipe: "grpo", updates: 2, groups: 2, ...options });
      for await (const { metrics } of run) found.push(metrics);
      return found;
    };
    const now = { exactEvery: 1, observationTokens: "masked", rolloutLogProb: "raw", temperature: 0.5 };
    const then = { evaluateExact: 1, retrieved: "masked", storedLogProb: "raw", temperature: 0.5 };
    assert.deepEqual(await records(then), await records(now));
  });

  it("are read in a checkpoint, which goes on as if it had been written today", async () => {
    const run = train({ env: "LookUp-v0", recipe: recipe("grpo", current), updates: 1, groups: 2 });
    for await (const _ of run);
    const {
      recipe: rule,
      settings,
      optimizer,
      ...rest
    } = JSON.parse(JSON.stringify(run.checkpoint())) as Record<string, Record<string, unknown>>;
    const { regularizer, update, advantage, ...cells } = rule!;
    const { optimizer: choice, ...counts } = update as { optimizer: Record<string, unknown> };
    const { maxGradNorm, ...numbers } = choice;
    const { onlyMember, ...knobs } = advantage as Record<string, unknown>;
    const { entropyTarget, custom: own, ...terms } = regularizer as Record<string, Record<string, unknown>>;
    const { min, max, ...target } = entropyTarget!;
    const { exactEvery, observationTokens, rolloutLogProb, ...others } = settings!;
    const old = {
      ...rest,
      optimiser: optimizer,
      settings: {
        ...others,
        evaluateExact: exactEvery,
        retrieved: observationTokens,
        storedLogProb: rolloutLogProb,
      },
      recipe: {
        ...cells,
        advantage: { ...knobs, alone: onlyMember },
        regulariser: { ...terms, own, entropyTarget: { ...target, least: min, most: max } },
        update: { ...counts, optimiser: { ...numbers, gradClip: maxGradNorm } },
      },
    };
    const onward = async (resume: unknown): Promise<unknown> => {
      const later = train({ resume: resume as turnwise.Checkpoint, updates: 3 });
      const found = [];
      for await (const { metrics } of later) found.push(metrics);
      return [found, later.recipe];
    };
    assert.deepEqual(await onward(old), await onward(run.checkpoint()));
    assert.deepEqual(withCurrentNames(settingsSchema, old.settings), {
      ...others,
      exactEvery,
      observationTokens,
      rolloutLogProb,
    });
  });

  it("of metrics are read in files of records and in the plan of a sweep", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "former-"));
    try {
      const csv = path.join(folder, "old.csv");
      fs.writeFileSync(csv, "update,step/mean,policy/clipBiasNorm\n1,0.5,2\n");
      const jsonl = path.join(folder, "old.jsonl");
      fs.writeFileSync(jsonl, '{"update":1,"metrics":{"step/mean":0.5,"policy/clipBiasNorm":2}}\n');
      for (const file of [csv, jsonl]) {
        const [record] = await readRecords(file);
        assert.deepEqual(record!.metrics, { "stepReward/mean": 0.5, "policy/clippedGradNorm": 2 }, file);
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
    assert.equal(expectMetric("response/information"), "response/mutualInformation");
  });

  it("are read in the results of a sweep, which goes on under those of today", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "former-"));
    try {
      const file = path.join(folder, "old.jsonl");
      const of = (learningRate: number): object => {
        const rule = recipe("grpo", { update: { optimizer: { learningRate } } });
        const { optimizer, ...update } = rule.update;
        return { ...rule, update: { ...update, optimiser: optimizer } };
      };
      const grid = { recipe: [of(0.1), of(0.2)], env: "LookUp-v0", updates: 1, evaluateExact: [0, 1] };
      const head = {
        format: "turnwise-sweep",
        version: 1,
        plan: { task: { export: "trainJob" }, grid, seeds: [0] },
      };
      const key = "recipe=grpo{update.optimiser.learningRate=0.1} evaluateExact=0 seed=0";
      const cell = { recipe: "grpo{update.optimiser.learningRate=0.1}", evaluateExact: 0 };
      const row = { key, cell, seed: 0, value: { metrics: { "step/mean": 1 } }, seconds: 1 };
      fs.writeFileSync(file, `${JSON.stringify({ ...head, shard: null })}\n${JSON.stringify(row)}\n`);
      const read = turnwise.readSweep(file);
      assert.deepEqual(Object.keys(read.plan.grid), ["recipe", "env", "updates", "exactEvery"]);
      assert.deepEqual(read.rows[0], {
        key: "recipe=grpo{update.optimizer.learningRate=0.1} exactEvery=0 seed=0",
        cell: { recipe: "grpo{update.optimizer.learningRate=0.1}", exactEvery: 0 },
        seed: 0,
        value: { metrics: { "stepReward/mean": 1 } },
        seconds: 1,
      });
      const { results } = await turnwise.sweep({
        ...grid,
        seeds: 1,
        file,
        workers: 0,
      } as turnwise.SweepOptions);
      assert.equal(results.length, 4);
      assert.deepEqual(results[0]!.value, read.rows[0]!.value, "the stored result is kept");
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it("of functions are the functions of today", () => {
    assert.equal(turnwise.createOptimiser, turnwise.createOptimizer);
    assert.equal(turnwise.envFacts, turnwise.envInfo);
    assert.equal(turnwise.newWorld, turnwise.worldTemplate);
    assert.equal(turnwise.fromJsonl, turnwise.parseJsonl);
  });
});
