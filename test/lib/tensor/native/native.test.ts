import assert from "node:assert/strict";
import fc from "fast-check";
import { createRng, type Rng } from "turnwise";
import { plainKernels } from "turnwise/dist/tensor/fused";
import { levelOf, processorLevels, wantedLevel } from "turnwise/dist/tensor/fused/native/processor";
import { roundsOnce } from "turnwise/dist/tensor/fused/native/overlay";
import { wasmModule } from "turnwise/dist/tensor/fused/wasmKernels";
import { runNode } from "../../../support/command.js";
import { skip } from "../../../support/needs.js";
import { addonsHere, type Built } from "./addons.js";
import { calls, type Name, type Room } from "./calls.js";

const BYTES = 4 << 20;
/** Bytes between two arrays, which nobody may write. */
const GUARD = 64;
type Run = (...args: number[]) => void;

/** A memory with operations on it. */
interface Bench {
  readonly name: string;
  readonly buffer: ArrayBufferLike;
  readonly base: number;
  readonly run: Readonly<Record<Name, Run>>;
}

function wasm(): Bench {
  const made = wasmModule();
  if (typeof made === "string") assert.fail(made);
  const { exports, memory } = made();
  memory.grow(Math.ceil(BYTES / 65536));
  const run = exports as unknown as Bench["run"];
  return { name: "wasm", buffer: memory.buffer, base: 1 << 20, run };
}

function native({ addon, level, fused }: Built): Bench {
  const { buffer, base } = wasm();
  const run = addon.bind(new Uint8Array(buffer)) as unknown as Bench["run"];
  return { name: `${level}${fused ? ", rounded once" : ""}`, buffer, base, run };
}

/** Gives out the memory of a bench from its base on, filled with the draws of one seed and with zeros between. */
function roomOf({ buffer, base }: Bench, rng: Rng): Room & { readonly end: () => number } {
  let top = base;
  const take = (bytes: number): number => {
    const at = top;
    top = at + Math.ceil((bytes + GUARD) / 16) * 16;
    new Uint8Array(buffer, at, top - at).fill(0);
    return at;
  };
  return {
    end: () => top,
    size: (most) => 1 + rng.below(most),
    floats(count) {
      const at = take(4 * count);
      const view = new Float32Array(buffer, at, count);
      for (let i = 0; i < count; i++) view[i] = rng.normal();
      return at;
    },
    doubles(count) {
      const at = take(8 * count);
      const view = new Float64Array(buffer, at, count);
      for (let i = 0; i < count; i++) view[i] = Math.abs(rng.normal());
      return at;
    },
    change(at, count, to) {
      const view = new Float64Array(buffer, at, count);
      view.set(view.map(to));
    },
    uniform(count) {
      const at = take(8 * count);
      const view = new Float64Array(buffer, at, count);
      for (let i = 0; i < count; i++) view[i] = rng.next();
      return at;
    },
    wholes(values) {
      const at = take(4 * values.length);
      new Int32Array(buffer, at, values.length).set(values);
      return at;
    },
    shares(heads, length) {
      const at = this.floats(heads * length * length);
      const view = new Float32Array(buffer, at, heads * length * length);
      // What a query does not see has no share.
      for (let i = 0; i < view.length; i++) if (i % length > Math.floor(i / length) % length) view[i] = 0;
      return at;
    },
    integers(count, least, below) {
      const at = take(4 * count);
      const view = new Int32Array(buffer, at, count);
      for (let i = 0; i < count; i++) view[i] = least + rng.below(below - least);
      return at;
    },
  };
}

/** Makes one call and returns all bytes that it could have changed, guards included, and the room it had. */
function after(bench: Bench, name: Name, seed: number): Uint8Array {
  const rng = createRng(seed);
  const room = roomOf(bench, rng);
  const given = calls[name](room, rng);
  bench.run[name](...given);
  return new Uint8Array(bench.buffer, bench.base, room.end() - bench.base);
}

describe("native kernels", function () {
  this.timeout(300_000);
  let built: Built[];
  let reference: Bench;

  before(async function () {
    built = await addonsHere(this);
    reference = wasm();
  });

  for (const name of Object.keys(calls) as Name[]) {
    it(`${name}: the bits of WebAssembly on vectors of every width, nothing written beside, for random shapes`, () => {
      const once = roundsOnce(reference.run as never, reference.buffer, reference.base);
      const benches = built.map((own) => ({ ...native(own), fused: own.fused }));
      const groups = [false, true].map((fused) => [
        ...(once === fused ? [reference] : []),
        ...benches.filter((bench) => bench.fused === fused),
      ]);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1e9 }), (seed) => {
          for (const [first, ...others] of groups) {
            if (!first) continue;
            const expected = after(first, name, seed).slice();
            for (const other of others) {
              assert.ok(
                Buffer.compare(after(other, name, seed), expected) === 0,
                `${other.name} and ${first.name}`,
              );
            }
          }
        }),
        { numRuns: 60, seed: 11 },
      );
    });
  }
});

/** Offsets of results of 64 bits, by the arguments that hold them; all others are of 32 bits. */
const WIDE: Partial<Record<Name, readonly number[]>> = {
  promote: [1],
  rowDots: [3],
  logSoftmax: [3, 4, 5],
  draw: [2, 4, 5],
};

describe("WebAssembly compiled from C", () => {
  for (const name of Object.keys(calls) as Name[]) {
    // The loops of the optimiser are compared in fusedAdam.test; scratch space is nobody's result.
    if (name === "adam" || name === "squares") continue;
    it(`${name}: what plain JavaScript gives, within the rounding of 32 bits, for random shapes`, () => {
      const compiled = wasm();
      const plain = plainKernels();
      plain.reserve(compiled.base + BYTES);
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 1e9 }), (seed) => {
          const rng = createRng(seed);
          const room = roomOf(compiled, rng);
          const given = calls[name](room, rng);
          const bytes = room.end() - compiled.base;
          new Uint8Array(plain.buffer, compiled.base, bytes).set(
            new Uint8Array(compiled.buffer, compiled.base, bytes),
          );
          compiled.run[name](...given);
          (plain[name] as Run).call(plain, ...given);
          const end = name === "attentionBackward" ? given[8]! : room.end();
          const wide = (WIDE[name] ?? []).map((i) => given[i]!);
          const narrowEnd = Math.min(end, ...wide);
          const [a, b] = [compiled.buffer, plain.buffer].map(
            (buffer) => new Float32Array(buffer, compiled.base, (narrowEnd - compiled.base) / 4),
          ) as [Float32Array, Float32Array];
          a.forEach((x, i) => near(x, b[i]!));
          if (wide.length === 0) return;
          const [c, d] = [compiled.buffer, plain.buffer].map(
            (buffer) => new Float64Array(buffer, narrowEnd, Math.floor((end - narrowEnd) / 8)),
          ) as [Float64Array, Float64Array];
          c.forEach((x, i) => near(x, d[i]!));
        }),
        { numRuns: 40, seed: 12 },
      );
    });
  }
});

/** Sums of up to 260 products of normal draws in 32 bits: 260 roundings of 6e-8 of numbers below 60, if all add up. */
function near(x: number, y: number): void {
  assert.ok(Object.is(x, y) || Math.abs(x - y) <= 1e-3 * Math.max(1, Math.abs(y)), `${x}, ${y}`);
}

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
