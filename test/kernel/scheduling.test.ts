import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { isStarved, mainThread } from "turnwise-kernel/dist/session/node/scheduling.js";
import { skip } from "../support/needs.js";

/** Longer than any machine needs; a synchronous loop is out of mocha's reach. */
const longestMs = 60_000;

/** Places in memory that this thread and a worker share. */
const [began, ended] = [0, 1];

/**
 * What a worker sees of this thread while `act` runs: it looks once `state[began]` is set, again and again until it finds what is
 * wanted or gives up, and then sets `state[ended]`, with which `act` must end.
 */
async function sees(
  wanted: "runnable" | "waiting",
  act: (state: Int32Array<SharedArrayBuffer>) => void,
): Promise<boolean> {
  const path = JSON.stringify(require.resolve("turnwise-kernel/dist/session/node/scheduling.js"));
  const state = new Int32Array(new SharedArrayBuffer(8));
  const code = `const { mainThread } = require(${path});
    const { workerData: state } = require("node:worker_threads");
    const looks = () => mainThread().runnable === ${String(wanted === "runnable")};
    Atomics.wait(state, ${String(began)}, 0);
    const end = performance.now() + ${String(longestMs / 2)};
    let seen = looks();
    // A thread that begins to wait takes a moment; one that computes is seen to at once.
    while (!seen && ${String(wanted === "waiting")} && performance.now() < end) seen = looks();
    Atomics.store(state, ${String(ended)}, seen ? 1 : 2); Atomics.notify(state, ${String(ended)});`;
  const worker = new Worker(code, { eval: true, workerData: state });
  const gone = new Promise((resolve) => worker.once("exit", resolve));
  act(state);
  await gone;
  return Atomics.load(state, ended) === 1;
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
    const counted = ran();
    assert.ok(counted >= 50 && counted <= performance.now() - begin + 10, `${counted} ms`);
  });

  it("distinguishes a thread that computes from one that waits", async () => {
    const begin = (state: Int32Array<SharedArrayBuffer>): void => {
      Atomics.store(state, began, 1);
      Atomics.notify(state, began);
    };
    const waits = (state: Int32Array<SharedArrayBuffer>): void => {
      begin(state);
      Atomics.wait(state, ended, 0, longestMs);
    };
    const computes = (state: Int32Array<SharedArrayBuffer>): void => {
      begin(state);
      const end = performance.now() + longestMs;
      while (Atomics.load(state, ended) === 0 && performance.now() < end) Math.sin(1);
    };
    assert.equal(await sees("waiting", waits), true);
    assert.equal(await sees("runnable", computes), true);
  });

  it("calls a thread starved that is ready and has had under 20 ms, and nothing else", () => {
    const before = { runnable: true, ranMs: 1_000 };
    assert.equal(isStarved(before, { runnable: true, ranMs: 1_019 }), true);
    assert.equal(isStarved(before, { runnable: true, ranMs: 1_020 }), false, "it ran and came by no mark");
    assert.equal(isStarved(before, { runnable: false, ranMs: 1_000 }), false, "it waits for something else");
    assert.equal(isStarved(undefined, undefined), false, "the system does not tell");
  });
});
