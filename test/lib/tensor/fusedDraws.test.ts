// Uses internals of turnwise/base.
import assert from "node:assert/strict";
import { createRng, type Rng } from "turnwise";
import { categoricalBy } from "turnwise/internal/base/rng";
import { Arena, fusedArena, plainKernels } from "turnwise/internal/tensor/fused/index";
import { Draws } from "turnwise/internal/tensor/fused/draws";

/** The same draws, asked of the generator one by one. */
const oneByOne = (inner: Rng): Rng => ({
  next: () => inner.next(),
  below: (n) => inner.below(n),
  normal: () => inner.normal(),
  shuffle: (items) => inner.shuffle(items),
  split: (name, ...keys) => oneByOne(inner.split(name, ...keys)),
  state: () => inner.state(),
  categorical: (logProb) => inner.categorical(logProb),
});

/** A generator whose next uniform number is the given one. */
const giving = (uniform: number): Rng =>
  Object.create(createRng(0), { next: { value: () => uniform } }) as Rng;

interface Drawn {
  readonly tokens: readonly number[];
  readonly logProb: readonly number[];
}

function drawn(arena: Arena, logits: Float32Array, rngs: readonly Rng[], temperature = 1): Drawn {
  arena.reset();
  const draws = new Draws(arena, rngs, logits.length / rngs.length, temperature);
  const rows = rngs.map((_, i) => i);
  const V = logits.length / rngs.length;
  const { tokens, logProb } = draws.next(rows, (_, at, { from, to }) => {
    arena.float32.set(logits.subarray(from * V, to * V), at / 4 + from * V);
  });
  return { tokens: [...tokens], logProb: [...logProb] };
}

for (const [name, arena] of [
  ["compiled", fusedArena()],
  ["plain", new Arena(plainKernels())],
] as const) {
  describe(`draws of many rows at once, ${name}`, () => {
    it("are those of each generator alone, to the bit: tokens, log-probs, and what the generators give next", () => {
      const rng = createRng(4);
      const streams = (): Rng[] => Array.from({ length: 70 }, (_, i) => rng.split("row", i));
      for (const V of [1, 2, 3, 4, 7, 16, 17, 33, 64, 99]) {
        for (const [spread, temperature] of [
          [1, 1],
          [30, 1],
          [0, 1],
          [2, 0.3],
          [3, 7],
        ] as const) {
          const logits = Float32Array.from({ length: 70 * V }, () => spread * rng.normal());
          const [own, others] = [streams(), streams()];
          const expected = drawn(arena, logits, others.map(oneByOne), temperature);
          assert.deepEqual(drawn(arena, logits, own, temperature), expected, `${V} ${spread} ${temperature}`);
          assert.deepEqual(
            own.map((stream) => stream.next()),
            others.map((stream) => stream.next()),
          );
        }
      }
    });

    it("are right where the number lies on the border of two tokens, and beside it by one place", () => {
      const V = 64;
      const step = 2 ** -32;
      for (const logit of [0, -3.7]) {
        const logits = new Float32Array(V).fill(logit);
        const [{ logProb }] = [drawn(arena, logits, [giving(0)])];
        const all = new Float64Array(V).fill(logProb[0]!);
        for (let k = 0; k < V; k++) {
          for (const uniform of [k / V, Math.max(0, k / V - step), k / V + step]) {
            const { tokens } = drawn(arena, logits, [giving(uniform)]);
            assert.deepEqual(tokens, [categoricalBy(uniform, all)], `${uniform}`);
            // Weights are equal, so the sums are exact: k / V is where token k begins.
            assert.equal(tokens[0], Math.floor(uniform * V));
          }
        }
      }
    });

    it("are left to 64 bits for less than one row in a hundred", () => {
      const [rows, V] = [4000, 64];
      const rng = createRng(5);
      arena.reset();
      const logits = arena.putFloats(Float64Array.from({ length: rows * V }, () => rng.normal()));
      const uniform = arena.putDoubles(Float64Array.from({ length: rows }, () => rng.next()));
      const tokens = arena.integers(new Int32Array(rows));
      const [weight, logProb, totals] = [arena.floats(rows * V), arena.doubles(rows), arena.doubles(rows)];
      arena.kernels.draw(logits, weight, uniform, tokens, logProb, totals, rows, V, 1);
      const left = arena.int32.subarray(tokens / 4, tokens / 4 + rows).filter((token) => token < 0).length;
      // 64 borders, each with 3.8e-6 on both sides: one row in 2,000, and two in this sample.
      assert.ok(left < 40, `${left} of ${rows}`);
    });

    it("refuse log-probs that are no numbers in the words of the generator", () => {
      const message = "Cannot draw from log-probs: the largest must be finite, got NaN among 3.";
      for (const wrong of [NaN, Infinity]) {
        const logits = Float32Array.of(0, wrong, 1);
        assert.throws(() => drawn(arena, logits, [createRng(1)]), { name: "RangeError", message });
      }
      // What cannot happen is never drawn.
      const { tokens } = drawn(arena, Float32Array.of(-Infinity, 0, -Infinity, -Infinity, -Infinity), [
        createRng(1),
      ]);
      assert.deepEqual(tokens, [1]);
    });
  });
}
