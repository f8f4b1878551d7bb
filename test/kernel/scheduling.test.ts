import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { isStarved, mainThread } from "turnwise-kernel/dist/session/node/scheduling.js";
import { skip } from "../support/needs.js";

/** Longer than any machine needs; a synchronous loop is out of mocha's reach. */
const longestMs = 60_000;

/** Whether a worker finds this thread runnable while `act` runs, until the worker has looked and `state[1]` says so. */
async function seenRunnable(act: (state: Int32Array<SharedArrayBuffer>) => void): Promise<boolean> {
  const path = JSON.stringify(require.resolve("turnwise-kernel/dist/session/node/scheduling.js"));
  const state = new Int32Array(new SharedArrayBuffer(8));
  const code = `const { mainThread } = require(${path});
    const { workerData: state } = require("node:worker_threads");
    Atomics.store(state, 0, 1); Atomics.notify(state, 0);
    Atomics.wait(state, 1, 0, 100);
    Atomics.store(state, 1, mainThread().runnable ? 2 : 3); Atomics.notify(state, 1);`;
  const worker = new Worker(code, { eval: true, workerData: state });
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  Atomics.wait(state, 0, 0);
  act(state);
  await ended;
  return state[1] === 2;
}

describe("what is known of the main thread", function () {
  this.timeout(30_000);

  before(function () {
    if (process.platform !== "linux") skip(this, "needs Linux");
  });

  it("grows with the time that it computes", () => {
    const before = mainThread()!;
    const begin = performance.now();
    const ran = (): number => mainThread()!.ranMs - before.ranMs;
    // On a busy machine 50 ms of a processor may take long.
    while (ran() < 50 && performance.now() - begin < longestMs) for (let x = 0; x < 1e5; x++) Math.sin(x);
    const [counted, passed] = [ran(), performance.now() - begin];
    assert.ok(counted >= 50 && counted <= passed + 10, `${counted} ms of ${passed} ms`);
  });

  it("distinguishes a thread that computes from one that waits", async () => {
    assert.equal(await seenRunnable((state) => Atomics.wait(state, 1, 0, longestMs)), false);
    const computes = (state: Int32Array): void => {
      const end = performance.now() + longestMs;
      while (Atomics.load(state, 1) === 0 && performance.now() < end) Math.sin(1);
    };
    assert.equal(await seenRunnable(computes), true);
  });

  it("calls a thread starved that is ready and has had under 20 ms, and nothing else", () => {
    const before = { runnable: true, ranMs: 1_000 };
    assert.equal(isStarved(before, { runnable: true, ranMs: 1_019 }), true);
    assert.equal(isStarved(before, { runnable: true, ranMs: 1_020 }), false, "it ran and came by no mark");
    assert.equal(isStarved(before, { runnable: false, ranMs: 1_000 }), false, "it waits for something else");
    assert.equal(isStarved(undefined, undefined), false, "the system does not tell");
  });
});
