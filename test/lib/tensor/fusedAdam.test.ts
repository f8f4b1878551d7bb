import assert from "node:assert/strict";
import { createRng } from "turnwise";
import { createOptimiser, type Optimiser } from "turnwise/dist/train/optimiser";

describe("compiled Adam", () => {
  const adam = (): Optimiser =>
    createOptimiser({
      kind: "adam",
      learningRate: 0.01,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      gradClip: 1,
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

  /** The loop in JavaScript takes a gradient in blocks. */
  const asBlocks = (
    values: Float64Array,
  ): { values: Float64Array; width: number; blocks: readonly number[] } => ({
    values,
    width: values.length,
    blocks: [0],
  });

  it("60 steps give the bits of the loop in JavaScript, in parameters and slots", () => {
    const [fused, plain] = [adam(), adam()];
    const [x, y] = [start.slice(), start.slice()];
    for (const gradient of gradients) {
      assert.equal(fused.step(x, gradient), plain.step(y, asBlocks(gradient)));
    }
    assert.ok(x.some((value, i) => value !== start[i]));
    assert.deepEqual(x, y);
    assert.deepEqual(fused.state(), plain.state());
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
    second.restore(JSON.parse(JSON.stringify(first.state())) as ReturnType<Optimiser["state"]>);
    for (const gradient of gradients.slice(5, 20)) second.step(y, asBlocks(gradient));
    assert.deepEqual(y, x);
    assert.deepEqual(second.state(), whole.state());
  });
});
