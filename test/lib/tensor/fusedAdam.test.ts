// Uses internals of turnwise/base, turnwise/train.
import assert from "node:assert/strict";
import { createRng, createOptimizer, type Optimizer } from "turnwise";
import { power } from "turnwise/internal/base/elementary/power";
import { globalNorm } from "turnwise/internal/train/optimizer";

describe("compiled Adam", () => {
  const adam = (): Optimizer =>
    createOptimizer({
      kind: "adam",
      learningRate: 0.01,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      maxGradNorm: 1,
    });
  const rng = createRng(8);
  const COUNT = 1501;
  /** Gradients with exact zeros, subnormal numbers and parameters that stop getting any. */
  const gradients = Array.from({ length: 60 }, (_, k) =>
    Float64Array.from({ length: COUNT }, (_, i) => {
      if (i % 5 === 0 || (i % 5 === 1 && k > 3)) return 0;
      return rng.normal() * 10 ** -(i % 7) * (i % 11 === 0 ? 1e-300 : 1);
    }),
  );
  const start = Float64Array.from({ length: COUNT }, () => rng.normal());

  /** The step written out, one parameter after the other. */
  function plainAdam() {
    const [mean, square] = [new Float64Array(COUNT), new Float64Array(COUNT)];
    let k = 0;
    return {
      slots: [mean, square],
      step(x: Float64Array, gradient: Float64Array): number {
        const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
        const scale = norm > 1 ? 1 / norm : 1;
        k++;
        const [rate, correction] = [0.01 / (1 - power(0.9, k)), 1 - power(0.999, k)];
        gradient.forEach((given, i) => {
          const g = scale * given;
          const m = 0.9 * mean[i]! + (1 - 0.9) * g;
          square[i] = 0.999 * square[i]! + (1 - 0.999) * g * g;
          // Below 1e-30 a mean is kept as 0.
          mean[i] = Math.abs(m) < 1e-30 ? 0 : m;
          x[i]! -= (rate * m) / (Math.sqrt(square[i]! / correction) + 1e-8);
        });
        return norm;
      },
    };
  }

  it("60 steps give the bits of the step written out, in parameters and slots", () => {
    const [fused, plain] = [adam(), plainAdam()];
    const [x, y] = [start.slice(), start.slice()];
    for (const gradient of gradients) assert.equal(fused.step(x, gradient), plain.step(y, gradient));
    assert.ok(x.some((value, i) => value !== start[i]));
    assert.deepEqual(x, y);
    assert.deepEqual(
      fused.state().slots,
      plain.slots.map((slot) => [...slot]),
    );
  });

  it("60 steps of blocks give the same bits, whether most of them sleep or few", () => {
    const width = 19;
    for (const awake of [7, 60, 79]) {
      const [blocky, plain] = [adam(), plainAdam()];
      const [x, y] = [start.slice(), start.slice()];
      for (const [k, gradient] of gradients.entries()) {
        const values = gradient.map((g, i) =>
          i < awake * width && Math.floor(i / width) % 3 !== k % 3 ? g : 0,
        );
        const blocks = Array.from({ length: awake }, (_, b) => b * width).filter((_, b) => b % 3 !== k % 3);
        assert.equal(blocky.step(x, { values, width, blocks }), plain.step(y, values));
      }
      assert.deepEqual(x, y);
      assert.deepEqual(
        blocky.state().slots,
        plain.slots.map((slot) => [...slot]),
      );
    }
  });

  it("goes on with the same bits from a restored state, and when the parameters have grown", () => {
    const whole = adam();
    const x = start.slice();
    const small = gradients.map((gradient) => gradient.slice(0, 1201));
    for (const gradient of [...small.slice(0, 5), ...gradients.slice(5, 20)]) whole.step(x, gradient);

    const y = start.slice();
    const first = adam();
    for (const gradient of small.slice(0, 5)) first.step(y, gradient);
    const second = adam();
    second.restore(JSON.parse(JSON.stringify(first.state())) as ReturnType<Optimizer["state"]>);
    for (const gradient of gradients.slice(5, 20)) second.step(y, gradient);
    assert.deepEqual(y, x);
    assert.deepEqual(second.state(), whole.state());
  });
});

describe("the norm of a gradient", () => {
  /** One square after the other. */
  const loop = (values: Float64Array): number => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));

  it("has the bits of a loop, whatever the numbers: of 32 bits, tiny, huge, 0, infinite or none", () => {
    const rng = createRng(10);
    for (let trial = 0; trial < 300; trial++) {
      const [count, scale, range] = [1024 + rng.below(3000), 2 ** (rng.below(40) - 20), rng.below(30)];
      const narrow = rng.below(3) > 0;
      const values = Float64Array.from({ length: count }, () => {
        if (rng.below(9) === 0) return 0;
        const x = scale * rng.normal() * 2 ** -rng.below(1 + range);
        return narrow ? Math.fround(x) : x;
      });
      assert.equal(globalNorm(values), loop(values), `trial ${trial}`);
    }
    // Whole numbers, whose squares lie halfway between two sums as soon as those are above 2^53; then subnormal ones.
    for (const scale of [2 ** 26 + 1, 2 ** 27 + 1, 1e-160, 1e-170, 1e154]) {
      const values = Float64Array.from({ length: 2000 }, (_, i) => scale * (1 + (i % 7)));
      assert.equal(globalNorm(values), loop(values), `${scale}`);
    }
    for (const odd of [Infinity, -Infinity, NaN]) {
      const values = new Float64Array(2000).fill(1);
      values[1500] = odd;
      assert.equal(globalNorm(values), loop(values));
    }
  });
});
