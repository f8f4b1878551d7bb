import assert from "node:assert/strict";
import fc from "fast-check";
import { createRng, type Rng } from "turnwise";
import { plainKernels } from "turnwise/internal/tensor/fused/index";
import { roundsOnce } from "turnwise/internal/tensor/fused/native/overlay";
import { wasmModule } from "turnwise/internal/tensor/fused/wasmKernels";
import { addonsHere, type Built } from "./addons.js";
import { calls, type Name, type Room } from "./calls.js";

const BYTES = 4 << 20;
/** Bytes between two arrays, which nobody may write. */
const GUARD = 64;
type Run = (...args: number[]) => void;

/** A memory with operations on it. */
export interface Bench {
  readonly name: string;
  readonly buffer: ArrayBufferLike;
  readonly base: number;
  readonly run: Readonly<Record<Name, Run>>;
}

export function wasm(): Bench {
  const made = wasmModule();
  if (typeof made === "string") assert.fail(made);
  const { exports, memory } = made();
  memory.grow(Math.ceil(BYTES / 65536));
  const run = exports as unknown as Bench["run"];
  return { name: "wasm", buffer: memory.buffer, base: 1 << 20, run };
}

export function native({ addon, level, fused }: Built): Bench {
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

/** Random calls of every operation, this many each. */
export function describeNative(numRuns: number, seed: number): void {
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
          fc.property(fc.integer({ min: 0, max: 1e9 }), (draw) => {
            for (const [first, ...others] of groups) {
              if (!first) continue;
              const expected = after(first, name, draw).slice();
              for (const other of others) {
                assert.ok(
                  Buffer.compare(after(other, name, draw), expected) === 0,
                  `${other.name} and ${first.name}`,
                );
              }
            }
          }),
          { numRuns, seed },
        );
      });
    }
  });
}

/** Offsets of results of 64 bits, by the arguments that hold them; all others are of 32 bits. */
const WIDE: Partial<Record<Name, readonly number[]>> = {
  promote: [1],
  rowDots: [3],
  logSoftmax: [3, 4, 5],
  draw: [2, 4, 5],
};

/** Random calls of every operation, this many each. */
export function describeCompiled(numRuns: number, seed: number): void {
  describe("WebAssembly compiled from C", () => {
    for (const name of Object.keys(calls) as Name[]) {
      // The loops of the optimizer are compared in fusedAdam.test; scratch space is nobody's result.
      if (name === "adam" || name === "squares") continue;
      it(`${name}: what plain JavaScript gives, within the rounding of 32 bits, for random shapes`, () => {
        const compiled = wasm();
        const plain = plainKernels();
        plain.reserve(compiled.base + BYTES);
        fc.assert(
          fc.property(fc.integer({ min: 0, max: 1e9 }), (draw) => {
            const rng = createRng(draw);
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
          { numRuns, seed },
        );
      });
    }
  });
}

/** Sums of up to 260 products of normal draws in 32 bits: 260 roundings of 6e-8 of numbers below 60, if all add up. */
function near(x: number, y: number): void {
  assert.ok(Object.is(x, y) || Math.abs(x - y) <= 1e-3 * Math.max(1, Math.abs(y)), `${x}, ${y}`);
}
