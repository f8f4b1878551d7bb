import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSweep, sweep } from "turnwise";
import { removeTemporaryFolders, temporaryFolder, turnwise } from "../support/command.js";

const jobs = join(__dirname, "..", "lib", "sweep", "jobs.js");
const keys = (file: string): string[] => readSweep(file).rows.map(({ key }) => key);

describe("turnwise sweep", function () {
  this.timeout(120_000);
  this.slow(20_000);
  after(removeTemporaryFolders);
  const plan = { task: { module: jobs, export: "draw" }, grid: { scale: [1, 2] }, seeds: 3 };
  const folderWith = (content: object): string => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "plan.json"), JSON.stringify(content));
    return folder;
  };

  it("runs a plan, part by part; merge joins the parts and misses none", async () => {
    const cwd = folderWith(plan);
    for (const shard of ["1/2", "2/2"]) {
      const { code, stdout, stderr } = await turnwise(["sweep", "plan.json", "--shard", shard], { cwd });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /3 of 3 jobs, finished/);
      assert.match(stdout, new RegExp(`The results are in plan\\.${shard.replace("/", "-of-")}\\.jsonl\n$`));
    }
    const parts = ["plan.1-of-2.jsonl", "plan.2-of-2.jsonl"];
    const joined = await turnwise(["merge", ...parts, "--results", "plan.jsonl"], { cwd });
    assert.equal(joined.stdout, "6 jobs, none missing, none there twice; written to plan.jsonl\n");
    const whole = await sweep({ ...plan, workers: 0 });
    assert.deepEqual(
      readSweep(join(cwd, "plan.jsonl")).rows.map(({ key, value }) => [key, value]),
      whole.results.map(({ key, value }) => [key, value]),
    );
    const missing = await turnwise(["merge", parts[0]!], { cwd });
    assert.equal(missing.code, 1);
    assert.equal(missing.stderr, 'Cannot merge: 3 jobs are missing, first "scale=2 seed=0".\n');
    const double = await turnwise(["merge", ...parts, parts[1]!], { cwd });
    assert.equal(double.code, 1);
    assert.match(double.stderr, /each job must be done once, but "scale=\d seed=\d" appears twice/);
  });

  it("says in a sentence why a plan cannot run, and names a failed job", async () => {
    const cwd = folderWith({ ...plan, seeds: 0 });
    const none = await turnwise(["sweep", "plan.json"], { cwd });
    assert.equal(none.code, 1);
    assert.match(none.stderr, /^Cannot sweep: seeds must be different integers and at least one, got .*\n$/);
    const odd = await turnwise(["sweep", "plan.json", "--shards", "1/2"], { cwd });
    assert.match(odd.stderr, /^Cannot run turnwise sweep: unknown option '--shards'/);
    const both = await turnwise(["sweep", "plan.json", "--slurm", "2", "--shard", "1/2"], {
      cwd: folderWith(plan),
    });
    assert.match(both.stderr, /must stand without the other and without --shard and --results/);
    const moody = folderWith({ ...plan, task: { module: jobs, export: "moody" }, grid: { broken: true } });
    const failed = await turnwise(["sweep", "plan.json", "--workers", "0"], { cwd: moody });
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /1 did not, first "all seed=1" with RangeError: no such seed\n/);
    assert.deepEqual(keys(join(moody, "plan.jsonl")), ["all seed=0", "all seed=2"]);
  });
});
