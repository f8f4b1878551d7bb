import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkTasks, readPlan, resultsFile } from "turnwise/internal/sweep/command/planFile";
import { jobName, quoted, slurmScript } from "turnwise/internal/sweep/command/slurm";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";

describe("a sweep's plan in a file", () => {
  after(removeTemporaryFolders);
  const written = (text: string): string => {
    const file = join(temporaryFolder(), "plan.json");
    writeFileSync(file, text);
    return file;
  };

  it("is what sweep takes, and its results lie beside it", () => {
    const file = written('{"recipe": ["grpo", "seeUpo"], "env": "LookUp-v0", "updates": 2, "seeds": 3}');
    const plan = readPlan(file);
    assert.deepEqual(plan.plan, {
      task: { export: "trainJob" },
      grid: { recipe: ["grpo", "seeUpo"], env: "LookUp-v0", updates: 2 },
      seeds: [0, 1, 2],
    });
    assert.equal(resultsFile(plan), file.replace(".json", ".jsonl"));
    assert.equal(resultsFile(plan, { index: 2, of: 4 }), file.replace(".json", ".2-of-4.jsonl"));
  });

  it("is refused with the reason when it is none", () => {
    const refused = (text: string, message: RegExp): void =>
      assert.throws(() => readPlan(written(text)), { name: "RangeError", message });
    refused("{", /^Cannot sweep: .*plan\.json must hold JSON: /);
    refused("[1]", /must hold an object of options\.$/);
    refused('{"seeds": 2, "workers": 3}', /it holds "workers", which belongs on the command line\.$/);
    refused('{"recipe": "grpo", "seeds": 2}', /but env, updates is missing\.$/);
    refused('{"task": {"export": "trainJob"}}', /must give grid, seeds, but grid, seeds is missing\.$/);
    const train = '"recipe": "grpo", "env": "LookUp-v0", "updates": 2, "seeds": 3';
    refused(`{${train}, "group_size": 4}`, /unknown option "group_size"\.\nDid you mean "groupSize"\?$/);
    refused(`{${train}, "prun": {"seeds": 1}}`, /unknown option "prun"\.\nDid you mean "prune"\?$/);
    refused(`{${train}, "exactEvery": [1, -2]}`, /exactEvery must be .*, got -2\.$/);
    assert.throws(() => readPlan("nowhere.json"), /nowhere\.json must hold JSON: ENOENT/);
  });

  it("is shared by no more tasks than it has jobs, or settings where some may be given up", () => {
    const task = '"task": {"module": "./jobs.js", "export": "job"}, "grid": {"x": [1, 2, 3]}, "seeds": 4';
    const { plan } = readPlan(written(`{${task}}`));
    assert.equal(checkTasks(plan, "12"), 12); // 3 settings x 4 seeds
    assert.throws(() => checkTasks(plan, "13"), /an integer from 1 to 12, its number of jobs, got 13\.$/);
    assert.throws(() => checkTasks(plan, "1.5"), /got 1\.5\.$/);
    const pruning = readPlan(written(`{${task}, "prune": {"seeds": 2, "below": 0}}`)).plan;
    assert.throws(() => checkTasks(pruning, "4"), /an integer from 1 to 3, its number of settings, got 4\.$/);
  });
});

describe("a job script", () => {
  it("names the shard by the task's index and keeps odd paths whole", () => {
    const job = { name: "turnwise-my plan", tasks: 3, workers: 2, plan: "it's a plan.json" };
    const lines = slurmScript(job, ["/opt/my node", "/opt/turnwise.cjs"], "/home/a b").split("\n");
    assert.ok(lines.includes("#SBATCH --job-name=turnwise-my-plan"));
    assert.ok(lines.includes("#SBATCH --array=1-3"));
    assert.ok(lines.includes("#SBATCH --cpus-per-task=2"));
    assert.ok(lines.includes('#SBATCH --chdir="/home/a b"'));
    assert.equal(
      lines.at(-2),
      `exec '/opt/my node' /opt/turnwise.cjs sweep 'it'\\''s a plan.json' --workers 2 ` +
        `--shard "$SLURM_ARRAY_TASK_ID/3"`,
    );
  });

  it("gets a name that schedulers accept", () => {
    assert.equal(jobName("turnwise-Über_Plan.v2-"), "turnwise-ber-plan-v2");
    assert.equal(jobName("***"), "sweep");
    assert.equal(quoted(""), "''");
  });
});
