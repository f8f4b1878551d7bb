import assert from "node:assert/strict";
import { make, TabularPolicy, trainSeeds } from "turnwise";
import { interquartileMean } from "turnwise/dist/sweep";

const setting = { env: "LookUp-v0", recipe: "grpo", updates: 3, groups: 2, groupSize: 4 } as const;

describe("trainSeeds()", () => {
  it("runs every seed as a run of its own and summarises the last records", async () => {
    const heard: number[] = [];
    const all = await trainSeeds(setting, 3, (_, seed) => heard.push(seed));
    assert.deepEqual(all.seeds, [0, 1, 2]);
    assert.deepEqual(heard, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
    const alone = await trainSeeds(setting, [2]);
    assert.deepEqual(
      alone.runs[0]!.map((r) => r.metrics["reward/mean"]),
      all.runs[2]!.map((r) => r.metrics["reward/mean"]),
    );
    const summary = all.final("reward/mean", { last: 2 });
    const expected = all.runs.map(
      (run) => (run[1]!.metrics["reward/mean"]! + run[2]!.metrics["reward/mean"]!) / 2,
    );
    assert.deepEqual(summary.values, expected);
    assert.equal(summary.n, 3);
    assert.ok(summary.low <= summary.mean && summary.mean <= summary.high);
  });

  it("refuses seeds that repeat, and a policy that all seeds would share", async () => {
    await assert.rejects(
      trainSeeds(setting, [1, 1]),
      /must be different and at least one: current value is \[1, 1\]/,
    );
    const policy = new TabularPolicy(make("LookUp-v0").spec);
    await assert.rejects(trainSeeds({ ...setting, policy }, 2), /policy must be options/);
    const all = await trainSeeds(setting, 1);
    assert.throws(
      () => all.final("critic/explainedVariance"),
      /Cannot summarise "critic\/explainedVariance" as the last 1 records of every run/,
    );
  });

  it("ends with the runs finished so far when aborted", async () => {
    const stop = new AbortController();
    const all = await trainSeeds({ ...setting, signal: stop.signal }, 3, (record, seed) => {
      if (seed === 1 && record.update === 2) stop.abort();
    });
    assert.deepEqual(all.seeds, [0]);
  });
});

describe("interquartileMean()", () => {
  it("averages the middle half, with values on the border in part", () => {
    // 8 values: drop two at each end, (3 + 4 + 5 + 6) / 4 = 4.5.
    assert.equal(interquartileMean([1, 2, 3, 4, 5, 6, 7, 800]), 4.5);
    // 3 values: borders at .75 and 2.25, weights .25, 1, .25: (.25 * 0 + 1 * 1 + .25 * 2) / 1.5 = 1.
    assert.equal(interquartileMean([0, 1, 2]), 1);
    assert.equal(interquartileMean([7]), 7);
  });
});
