import assert from "node:assert/strict";
import { createOptimiser } from "turnwise/dist/train/optimiser";

const near = (actual: ArrayLike<number>, expected: readonly number[]): void =>
  expected.forEach((x, i) => assert.ok(Math.abs(actual[i]! - x) < 1e-12, `${i}: ${actual[i]} is not ${x}`));

describe("optimisers", () => {
  it("SGD subtracts learningRate x gradient and reports the global norm", () => {
    const parameters = Float64Array.of(1, 2);
    const sgd = createOptimiser({ kind: "sgd", learningRate: 0.1, gradClip: null });
    // sqrt(3^2 + 4^2) = 5;  1 - .1 x 3 = .7,  2 - .1 x 4 = 1.6
    assert.equal(sgd.step(parameters, Float64Array.of(3, 4)), 5);
    near(parameters, [0.7, 1.6]);
  });

  it("gradClip scales the whole gradient to that norm, and reports the norm before", () => {
    const parameters = Float64Array.of(0, 0);
    const sgd = createOptimiser({ kind: "sgd", learningRate: 1, gradClip: 1 });
    assert.equal(sgd.step(parameters, Float64Array.of(3, 4)), 5);
    near(parameters, [-0.6, -0.8]);
  });

  it("Adam's first two steps are those of the paper's algorithm 1", () => {
    const parameters = Float64Array.of(1);
    const adam = createOptimiser({
      kind: "adam",
      learningRate: 0.1,
      beta1: 0.9,
      beta2: 0.99,
      epsilon: 1e-8,
      gradClip: null,
    });
    // Step 1: m/(1-.9) = 2, v/(1-.99) = 4: 1 - .1 x 2/(2 + 1e-8).
    adam.step(parameters, Float64Array.of(2));
    const first = 1 - (0.1 * 2) / (2 + 1e-8);
    near(parameters, [first]);
    // Step 2 with g = -1: m = .9 x .2 - .1 = .08, v = .99 x .04 + .01 = .0496;
    // mhat = .08/.19, vhat = .0496/.0199.
    adam.step(parameters, Float64Array.of(-1));
    near(parameters, [first - (0.1 * (0.08 / 0.19)) / (Math.sqrt(0.0496 / 0.0199) + 1e-8)]);
  });

  it("Adam without a gradient comes to rest where the formula ends, and its mean gradient ends at exactly 0", () => {
    const choice = {
      kind: "adam",
      learningRate: 0.3,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      gradClip: null,
    } as const;
    const adam = createOptimiser(choice);
    const parameters = Float64Array.of(1);
    let [m, v, expected] = [0, 0, 1];
    for (let k = 1; k <= 1000; k++) {
      const g = k === 1 ? 2 : 0;
      adam.step(parameters, Float64Array.of(g));
      m = 0.9 * m + 0.1 * g;
      v = 0.999 * v + 0.001 * g * g;
      expected -= (0.3 * (m / (1 - 0.9 ** k))) / (Math.sqrt(v / (1 - 0.999 ** k)) + 1e-8);
    }
    near(parameters, [expected]);
    // .2 x .9^k falls below 1e-30 after 640 steps; unbounded decay would go on to subnormal numbers.
    assert.equal(adam.state().slots[0]![0], 0);
  });

  it("parameters that appear later start with empty slots, as if they had been there with gradient 0", () => {
    const choice = {
      kind: "adam",
      learningRate: 0.1,
      beta1: 0.9,
      beta2: 0.99,
      epsilon: 1e-8,
      gradClip: null,
    } as const;
    const [growing, fixed] = [createOptimiser(choice), createOptimiser(choice)];
    const [a, b] = [new Float64Array(2), new Float64Array(2)];
    growing.step(a.subarray(0, 1), Float64Array.of(1));
    fixed.step(b, Float64Array.of(1, 0));
    growing.step(a, Float64Array.of(1, 5));
    fixed.step(b, Float64Array.of(1, 5));
    assert.deepEqual(a, b);
  });

  it("state() and restore() continue the same steps; the state of another optimiser is refused", () => {
    const choice = {
      kind: "adam",
      learningRate: 0.1,
      beta1: 0.9,
      beta2: 0.99,
      epsilon: 1e-8,
      gradClip: null,
    } as const;
    const adam = createOptimiser(choice);
    const a = Float64Array.of(1, 2);
    adam.step(a, Float64Array.of(0.3, -0.2));
    const copy = createOptimiser(choice);
    copy.restore(JSON.parse(JSON.stringify(adam.state())) as ReturnType<typeof adam.state>);
    const b = a.slice();
    adam.step(a, Float64Array.of(1, 1));
    copy.step(b, Float64Array.of(1, 1));
    assert.deepEqual(a, b);
    assert.throws(() => copy.restore({ kind: "sgd", steps: 1, slots: [] }), {
      name: "TypeError",
      message: "Cannot restore the optimiser as the state must be of adam: current value is of sgd",
    });
  });
});
