import assert from "node:assert/strict";
import { levelOf, processorLevels, wantedLevel } from "turnwise/internal/tensor/fused/native/processor";
import { wasmModule } from "turnwise/internal/tensor/fused/wasmKernels";
import { runNode } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { addonsHere } from "./addons.js";
import { describeCompiled, describeNative, native, wasm } from "./benches.js";

describeNative(10, 13);
describeCompiled(8, 14);

describe("the border of the native kernels", function () {
  this.timeout(300_000);

  it("refuses what leads out of the memory, runs nothing then, and takes numbers alone", async function () {
    const { run, buffer } = native((await addonsHere(this))[0]!);
    const size = buffer.byteLength;
    const outside = {
      name: "RangeError",
      message:
        "Cannot run a native kernel as all it touches must lie in its memory: an argument leads out of it",
    };
    new Uint8Array(buffer, size - 4096).fill(7);
    run.clear(size - 4, 1);
    for (const [at, count] of [
      [size - 4, 2],
      [size, 1],
      [-4, 1],
      [2, 1],
      [NaN, 1],
      [0, -1],
      [0, 1.5],
      [0, 2 ** 31],
    ] as const) {
      assert.throws(() => run.clear(at, count), outside, `${at} ${count}`);
    }
    const offsets = new Int32Array(buffer, 1 << 20, 2);
    offsets.set([0, (size - (2 << 20)) / 4 - 8 + 1]);
    // The last row of 8 that fits, and one float further.
    assert.throws(() => run.scatter(2 << 20, 3 << 20, 1 << 20, 2, 1, 8, 8), outside);
    offsets[1]!--;
    run.scatter(2 << 20, 3 << 20, 1 << 20, 2, 1, 8, 8);
    assert.throws(() => run.gemm(0, 2 ** 31 - 1, 2 ** 31 - 1, 0, 1, 0, 1, 3, 1, 3), outside);
    assert.throws(() => (run.tanh as (...args: unknown[]) => void)(0, "4"), {
      name: "TypeError",
      message: "Cannot run a native kernel as all its arguments must be numbers: one is not",
    });
  });

  it("knows of a memory that has grown, in functions that were bound before as well", async function () {
    const [first] = await addonsHere(this);
    const made = wasmModule();
    if (typeof made === "string") assert.fail(made);
    const { memory } = made();
    const { clear, grew } = first!.addon.bind(new Uint8Array(memory.buffer));
    const size = memory.buffer.byteLength;
    memory.grow(1);
    assert.throws(() => clear(size, 1), RangeError);
    assert.throws(() => grew(new Uint8Array(8)), {
      name: "TypeError",
      message: "Cannot tell native kernels that a memory has grown as it must be theirs: it is not",
    });
    grew(new Uint8Array(memory.buffer));
    clear(size, 1);
    clear(size + 65532, 1);
    assert.throws(() => clear(size + 65532, 2), RangeError);
  });

  it("reads and writes arrays of JavaScript: what is asked for, within the memory, and of 64 bits alone", async function () {
    const { addon } = (await addonsHere(this))[0]!;
    const { buffer } = wasm();
    const { put, get } = addon.bind(new Uint8Array(buffer));
    const size = buffer.byteLength;
    put(Float64Array.of(0.1, 2, -3), size - 12);
    const out = new Float64Array(3);
    get(size - 12, out);
    // .1 is rounded to 32 bits on the way.
    assert.deepEqual(out, Float64Array.of(Math.fround(0.1), 2, -3));
    assert.throws(() => put(Float64Array.of(1, 2), size - 4), RangeError);
    assert.throws(() => get(size - 8, out), RangeError);
    // 3^2 + 4^2
    assert.equal(addon.squaresOf(Float64Array.of(3, -4)), 25);
    assert.throws(() => get(0, new Float32Array(3) as never), {
      name: "TypeError",
      message: "Cannot run a native kernel as its numbers must be given as a Float64Array: they are not",
    });
    const x = Float64Array.of(1, 1);
    const step = [1, 0.5, 1, 0, 0, 0, 0] as const;
    // Without momentum: x - rate g / |g|, for the first parameter alone, as the gradient is of length 1.
    addon.adamOn(x, Float64Array.of(-3), new Float64Array(2), new Float64Array(2), ...step);
    assert.deepEqual(x, Float64Array.of(1.5, 1));
    assert.throws(
      () => addon.adamOn(x, Float64Array.of(1, 1), new Float64Array(1), new Float64Array(2), ...step),
      {
        name: "RangeError",
        message: "Cannot step as parameters and slots must be as long as the gradient: one is shorter",
      },
    );
  });

  it("levels: all flags of a level and of those below it are needed", () => {
    const v3 = ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"];
    const v4 = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];
    assert.equal(levelOf(new Set(["sse2"])), "x86-64");
    assert.equal(levelOf(new Set(v3)), "x86-64-v3");
    assert.equal(levelOf(new Set(v3.slice(1))), "x86-64");
    assert.equal(levelOf(new Set([...v3, ...v4.slice(1)])), "x86-64-v3");
    assert.equal(levelOf(new Set([...v3, ...v4])), "x86-64-v4");
    assert.equal(levelOf(new Set(v4)), "x86-64");
  });

  it("TURNWISE_NATIVE names a level of this processor, and none else runs", async function () {
    const [lowest] = processorLevels();
    if (!lowest) skip(this, "no native kernels are compiled for this platform");
    assert.equal(wantedLevel(""), processorLevels().at(-1));
    assert.equal(wantedLevel(lowest), lowest);
    assert.equal(wantedLevel("fast"), undefined);
    const script = 'console.log(require("turnwise/tensor").fusedReport().reason)';
    const { stdout } = await runNode(["-e", script], { env: { TURNWISE_NATIVE: "fast" } });
    assert.match(
      stdout,
      /no native kernels, as TURNWISE_NATIVE must be off or a level of this processor \(.*\), and is fast\n$/,
    );
  });

  it("TURNWISE_NATIVE=off leaves all to WebAssembly, and the report says so", async () => {
    const script = 'console.log(require("turnwise/tensor").fusedReport().reason)';
    const { stdout } = await runNode(["-e", script], { env: { ...process.env, TURNWISE_NATIVE: "off", TURNWISE_THREADS: "1" } }); // prettier-ignore
    assert.match(
      stdout,
      /^on 1 thread: compiled WebAssembly with 128-bit SIMD(, relaxed)?; no native kernels, as TURNWISE_NATIVE is off\n$/,
    );
  });
});
