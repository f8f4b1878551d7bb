import assert from "node:assert/strict";
import { join } from "node:path";
import { sweep, type SweepOptions } from "turnwise";
import { keepThreads, takeThreads } from "turnwise/internal/sweep/threads";

const jobs = join(__dirname, "jobs.js");

describe("threads of sweeps", function () {
  this.timeout(60_000);

  it("are kept for the next sweep of the library's own jobs, and change no bit of it", async () => {
    const plan: SweepOptions = { recipe: "grpo", env: "LookUp-v0", updates: 2, seeds: 3, workers: 2 };
    const cold = await sweep(plan);
    const left = takeThreads(2);
    assert.equal(left.completed, 3);
    keepThreads(left);
    const warm = await sweep(plan);
    assert.deepEqual(
      warm.results.map(({ value }) => value),
      cold.results.map(({ value }) => value),
    );
    const again = takeThreads(2);
    assert.equal(again, left);
    assert.equal(again.completed, 6);
    await again.destroy();
  });

  it("are not kept after a module of the user's own, a stop, or for another number of workers", async () => {
    await sweep({ task: { module: jobs, export: "draw" }, grid: {}, seeds: 2, workers: 2 });
    const fresh = takeThreads(2);
    assert.equal(fresh.completed, 0);
    keepThreads(fresh);
    const other = takeThreads(1);
    assert.equal(other.maxThreads, 1);
    await other.destroy();
    const stopped = sweep({ recipe: "grpo", env: "LookUp-v0", updates: 200, seeds: 3, workers: 2 });
    await stopped.stop();
    const third = takeThreads(2);
    assert.equal(third.completed, 0);
    await third.destroy();
  });
});
