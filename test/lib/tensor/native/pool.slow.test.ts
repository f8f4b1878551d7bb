import assert from "node:assert/strict";
import type { Bound } from "turnwise/internal/tensor/fused/native/addon";
import { wasmModule } from "turnwise/internal/tensor/fused/wasmKernels";
import { fusedReport } from "turnwise/tensor";
import { runNode } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { addonsHere } from "./addons.js";

/** For scripts that run in a process of their own. */
const SCRIPT = `
  const { Arena, wasmKernels } = require("turnwise/internal/tensor/fused/index");
  const { readdirSync, readFileSync } = require("node:fs");
  const { Worker, isMainThread, parentPort, workerData } = require("node:worker_threads");
  const kernelsOn = (threads) => wasmKernels(undefined, threads, true);
  /** 16 products of numbers that depend on the seed. */
  function products(kernels, seed) {
    const arena = new Arena(kernels);
    const x = arena.putFloats(Float64Array.from({ length: 16 * 4096 }, (_, i) => Math.fround((i * seed) % 7)));
    const y = arena.zeros(16 * 4096);
    kernels.inParts("test", 16, 16, (operations, i) => {
      operations.gemm(x + 16384 * i, 64, 1, x, 64, y + 16384 * i, 64, 64, 64, 64);
    });
    return arena.getFloats(y, 16 * 4096).join();
  }
`;

/** What a script prints that runs on native kernels. */
async function printed(context: Mocha.Context, script: string): Promise<string> {
  if (fusedReport().kernels !== "native") skip(context, `no native kernels here: ${fusedReport().reason}`);
  const { code, stdout, stderr } = await runNode(["-e", SCRIPT + script], { env: { TURNWISE_NATIVE: "" } });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return stdout.trim();
}

/** An addon on a memory, and 65 floats of it, of which the last one is 1 and the others 0. */
async function bound(
  context: Mocha.Context,
): Promise<{ run: Bound; floats: Float32Array; sumOf(i: number): number[] }> {
  const made = wasmModule();
  if (typeof made === "string") assert.fail(made);
  const { memory } = made();
  const run = (await addonsHere(context))[0]!.addon.bind(new Uint8Array(memory.buffer));
  const at = memory.buffer.byteLength - 4 * 65;
  const floats = new Float32Array(memory.buffer, at, 65);
  floats[64] = 1;
  // addRows(sum, x, 1 row, 1 column, stride 1): adds the last float to float i.
  const operation = Object.keys(run).indexOf("addRows");
  return { run, floats, sumOf: (i) => [operation, 5, at + 4 * i, at + 4 * 64, 1, 1, 1] };
}

describe("threads of the addon", function () {
  this.timeout(60_000);

  it("do each part once, some of them on other threads, and all before the call is over", async function () {
    const { run, floats, sumOf } = await bound(this);
    // Part i adds 1 to float i 100 times.
    const calls = Float64Array.from(
      Array.from({ length: 64 }, (_, i) => Array.from({ length: 100 }, () => sumOf(i))).flat(2),
    );
    const places = Float64Array.from({ length: 65 }, (_, i) => 700 * i);
    let [tasks, helped] = [0, 0];
    while (tasks < 300 || helped === 0) {
      helped += run.play(calls, places, 64, 2);
      tasks++;
      assert.ok(
        floats.every((value, i) => value === (i < 64 ? 100 * tasks : 1)),
        `task ${tasks}`,
      );
    }
    assert.equal(run.play(calls, places, 64, 0), 0);
  });

  it("refuse calls that lead out of the memory or out of what is written, and no operations", async function () {
    const { run, floats, sumOf } = await bound(this);
    const good = sumOf(0);
    const play = (calls: number[], places: number[], parts = places.length - 1, helpers = 1): number =>
      run.play(Float64Array.from(calls), Float64Array.from(places), parts, helpers);
    play([...good, ...good], [0, 7, 14]);
    assert.equal(floats[0], 2);
    const refused: Record<string, () => unknown> = {
      "an address": () => play([good[0]!, 5, -4, ...good.slice(3)], [0, 7]),
      "the second part": () => play([...good, good[0]!, 5, -4, ...good.slice(3)], [0, 7, 14]),
      "an operation below": () => play([-1, ...good.slice(1)], [0, 7]),
      "an operation above": () => play([1000, ...good.slice(1)], [0, 7]),
      "none at all": () => play([NaN, ...good.slice(1)], [0, 7]),
      "too few arguments": () => play([good[0]!, 4, ...good.slice(2)], [0, 7]),
      "half a call": () => play(good, [0, 6]),
      "a place after the end": () => play(good, [0, 8]),
      "places in disorder": () => play(good, [7, 0]),
      "a place that is none": () => play(good, [0, NaN]),
      "more parts than places": () => play(good, [0, 7], 2),
      "less than no helper": () => play(good, [0, 7], 1, -1),
    };
    for (const [name, call] of Object.entries(refused)) {
      assert.throws(
        call,
        {
          name: "RangeError",
          message:
            "Cannot run a native kernel as all it touches must lie in its memory: an argument leads out of it",
        },
        name,
      );
    }
    assert.throws(() => run.play([1] as never, Float64Array.of(0, 0), 1, 0), TypeError);
    play(good, [0, 7]);
    // The second part that is refused leaves the first one done.
    assert.equal(floats[0], 4);
  });

  it("serve several threads of JavaScript at once, each with the bits that it has alone", async function () {
    const out = await printed(
      this,
      `
      const alone = [1, 2, 3].map((seed) => products(kernelsOn(1), seed));
      const source = ${JSON.stringify(SCRIPT)} + \`
        const kernels = kernelsOn(2);
        const { seed, alone } = workerData;
        let same = 0;
        for (let i = 0; i < 100; i++) if (products(kernels, seed) === alone) same++;
        parentPort.postMessage(same);\`;
      for (const seed of [1, 2, 3]) {
        new Worker(source, { eval: true, workerData: { seed, alone: alone[seed - 1] } }).on("message", (same) => console.log(same));
      }`,
    );
    assert.equal(out, "100\n100\n100");
  });

  it("outlive the thread of JavaScript that started them, and end with the process", async function () {
    const out = await printed(
      this,
      `
      const source = ${JSON.stringify(SCRIPT)} + "parentPort.postMessage(products(kernelsOn(2), 5));";
      const one = () => new Promise((done) => {
        let result;
        new Worker(source, { eval: true }).on("message", (text) => (result = text)).on("exit", () => done(result));
      });
      (async () => {
        const first = await one();
        await new Promise((done) => setTimeout(done, 50));
        const kept = process.platform !== "linux" || /[.]node$/m.test(readFileSync("/proc/self/maps", "utf8"));
        console.log(kept, (await one()) === first);
      })();`,
    );
    // The code that they run is still there, though Node unloads what a thread has loaded.
    assert.equal(out, "true true");
  });

  it("sleep while there is nothing to do", async function () {
    const out = await printed(
      this,
      `
      const kernels = kernelsOn(2);
      for (let i = 0; i < 20; i++) products(kernels, i);
      setTimeout(() => {
        const before = process.cpuUsage();
        setTimeout(() => {
          const { user, system } = process.cpuUsage(before);
          console.log((user + system) / 1000);
        }, 1000);
      }, 200);`,
    );
    // Milliseconds of processor time within a second; who looked for work all the time would need hundreds.
    assert.ok(Number(out) < 50, out);
  });

  it("are not there where one thread is wanted", async function () {
    if (process.platform !== "linux") skip(this, "threads are counted in /proc");
    const out = await printed(
      this,
      `
      const count = () => readdirSync("/proc/self/task").length;
      products(kernelsOn(1), 1);
      const before = count();
      products(kernelsOn(1), 1);
      const one = count() - before;
      products(kernelsOn(3), 1);
      console.log(one, count() - before);`,
    );
    assert.equal(out, "0 2");
  });
});
