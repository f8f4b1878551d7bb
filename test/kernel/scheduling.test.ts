import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { isStarved, mainThread } from "turnwise-kernel/dist/session/scheduling.js";

/** Whether a worker finds this thread runnable while `act` runs. */
async function seenRunnable(act: () => void): Promise<boolean> {
  const path = JSON.stringify(require.resolve("turnwise-kernel/dist/session/scheduling.js"));
  const state = new Int32Array(new SharedArrayBuffer(8));
  const code = `const { mainThread } = require(${path});
    const { workerData: state } = require("node:worker_threads");
    Atomics.store(state, 0, 1); Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0, 100);
    Atomics.store(state, 1, mainThread().runnable ? 2 : 3); Atomics.notify(state, 1);`;
  const worker = new Worker(code, { eval: true, workerData: state });
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  Atomics.wait(state, 0, 0);
  act();
  Atomics.wait(state, 1, 0);
  await ended;
  return state[1] === 2;
}

describe("what is known of the main thread", function () {
  this.timeout(30_000);

  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  it("grows with the time that it computes", () => {
    const before = mainThread()!;
    const begin = process.cpuUsage().user;
    for (let x = 0; process.cpuUsage().user - begin < 60_000; x++) Math.sin(x);
    const ran = mainThread()!.ranMs - before.ranMs;
    assert.ok(ran >= 50, `${ran} ms`);
  });

  it("tells a thread that computes from one that waits", async () => {
    const asleep = new Int32Array(new SharedArrayBuffer(4));
    assert.equal(await seenRunnable(() => Atomics.wait(asleep, 0, 0, 1_000)), false);
    const busy = (): void => {
      for (const end = performance.now() + 1_000; performance.now() < end;) Math.sin(1);
    };
    assert.equal(await seenRunnable(busy), true);
  });

  it("calls a thread starved that is ready and has had under 20 ms, and nothing else", () => {
    const before = { runnable: true, ranMs: 1_000 };
    assert.equal(isStarved(before, { runnable: true, ranMs: 1_019 }), true);
    assert.equal(isStarved(before, { runnable: true, ranMs: 1_020 }), false, "it ran and came by no mark");
    assert.equal(isStarved(before, { runnable: false, ranMs: 1_000 }), false, "it waits for something else");
    assert.equal(isStarved(undefined, undefined), false, "the system does not tell");
  });
});
