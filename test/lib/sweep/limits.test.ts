import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sweep, trainSeeds } from "turnwise";
import { planOf } from "turnwise/internal/sweep/options";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../../support/command.js";

const setting = {
  recipe: "grpo",
  env: "LookUp-v0",
  updates: 1,
  groups: 2,
  groupSize: 2,
  workers: 0,
} as const;

describe("a sweep is refused before its first job", () => {
  after(removeTemporaryFolders);

  it("where it has more seeds or jobs than the memory holds", async () => {
    const { workers: _, ...training } = setting;
    assert.throws(() => sweep({ ...setting, seeds: 1e9 }), {
      name: "RangeError",
      message: "Cannot sweep: seeds must be at most 1000000, got 1000000000.",
    });
    await assert.rejects(trainSeeds(training, 1e9), {
      name: "RangeError",
      message: "Cannot train several seeds: seeds must be at most 1000000, got 1000000000.",
    });
    const values = Array.from({ length: 1000 }, (_, i) => i + 1);
    assert.throws(() => sweep({ ...setting, groups: values, evalEpisodes: values, evalEvery: 1, seeds: 2 }), {
      name: "RangeError",
      message:
        "Cannot sweep: a plan must have at most 1000000 jobs, got 2000000 (1000 groups × 1000 evalEpisodes × 2 seeds).",
    });
    assert.equal(planOf({ ...setting, seeds: 1000 }).plan.seeds.length, 1000);
  });

  it("where its metric is none, with the nearest one, or nothing measures it", () => {
    const refusals: readonly (readonly [object, string])[] = [
      [
        { metric: "reward/maen" },
        'no training run has the metric "reward/maen".\nDid you mean "reward/mean"?',
      ],
      [
        { metric: "reward/maen", prune: { seeds: 1, below: 0 } },
        'no training run has the metric "reward/maen".\nDid',
      ],
      [{ metric: "toString" }, 'no training run has the metric "toString"'],
      [
        { curves: ["reward/maen"] },
        'no training run has the metric "reward/maen".\nDid you mean "reward/mean"?',
      ],
      [{ metric: "return/exact" }, 'the metric "return/exact" needs exactEvery, which is off.'],
      [{ metric: "eval/return", evalEvery: 0 }, 'the metric "eval/return" needs evalEvery, which is off.'],
    ];
    for (const [options, message] of refusals) {
      const file = join(temporaryFolder("metric"), "results.jsonl");
      assert.throws(
        () => sweep({ ...setting, seeds: 1, file, ...options }),
        (error: Error) => error.name === "RangeError" && error.message.startsWith(`Cannot sweep: ${message}`),
        message,
      );
      assert.ok(!existsSync(file));
    }
    for (const options of [
      { metric: "return/exact", exactEvery: [0, 1] },
      { metric: "eval/return", evalEvery: 1 },
      { metric: "samples" },
    ])
      assert.ok(planOf({ ...setting, seeds: 1, ...options }).plan);
  });

  it("by the command as well", async () => {
    const folder = temporaryFolder("metric");
    const { workers: _, ...plan } = setting;
    writeFileSync(join(folder, "plan.json"), JSON.stringify({ ...plan, seeds: 2, metric: "reward/maen" }));
    const { code, stderr } = await turnwise(["sweep", "plan.json"], { cwd: folder });
    assert.equal(code, 1);
    assert.match(stderr, /no training run has the metric "reward\/maen"\.\nDid you mean "reward\/mean"\?/);
  });
});
