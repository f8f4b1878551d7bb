import assert from "node:assert/strict";
import { createOptimizer, type Recipe } from "turnwise";
import { descent } from "./plainRule";

const near = (actual: ArrayLike<number>, expected: readonly number[]): void =>
  expected.forEach((x, i) => assert.ok(Math.abs(actual[i]! - x) < 1e-12, `${i}: ${actual[i]} is not ${x}`));

const choice = {
  kind: "adam",
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  maxGradNorm: null,
} as const;

describe("optimizers", () => {
  it("SGD subtracts learningRate x gradient and reports the global norm", () => {
    const parameters = Float64Array.of(1, 2);
    const sgd = createOptimizer({ kind: "sgd", learningRate: 0.1, maxGradNorm: null });
    // sqrt(3^2 + 4^2) = 5;  1 - .1 x 3 = .7,  2 - .1 x 4 = 1.6
    assert.equal(sgd.step(parameters, Float64Array.of(3, 4)), 5);
    near(parameters, [0.7, 1.6]);
  });

  it("maxGradNorm limits what Adam's running means see", () => {
    const moved = (maxGradNorm: number | null, gradients: readonly number[]): number => {
      const parameters = Float64Array.of(0);
      const adam = createOptimizer({ ...choice, maxGradNorm });
      for (const g of gradients) assert.equal(adam.step(parameters, Float64Array.of(g)), g);
      return parameters[0]!;
    };
    // Clipped to 1, a gradient of 4 is one of 1: both means are 1, so each step is .1 / (1 + 1e-8).
    near([moved(1, [4, 1])], [-0.2 / (1 + 1e-8)]);
    assert.equal(moved(1, [4, 1]), moved(null, [1, 1]));
    // Unclipped, m = .9 * .4 + .1 = .46 and v = .99 * .16 + .01 = .1684: the second step is .1 * (.46 / .19) / sqrt(.1684 / .0199) = .0832.
    assert.ok(Math.abs(moved(null, [4, 1]) + 0.1832) < 1e-4);
    // The same where the gradient is long enough for the compiled step.
    const long = (maxGradNorm: number | null, size: number): number => {
      const parameters = new Float64Array(4096);
      const adam = createOptimizer({ ...choice, maxGradNorm });
      for (const g of [size, 1]) adam.step(parameters, new Float64Array(4096).fill(g / 64));
      return parameters[4095]!;
    };
    assert.equal(long(1, 4), long(null, 1));
  });

  it("maxGradNorm scales the whole gradient to that norm, and reports the norm before", () => {
    const parameters = Float64Array.of(0, 0);
    const sgd = createOptimizer({ kind: "sgd", learningRate: 1, maxGradNorm: 1 });
    assert.equal(sgd.step(parameters, Float64Array.of(3, 4)), 5);
    near(parameters, [-0.6, -0.8]);
  });

  it("Adam's first two steps are those of the paper's algorithm 1", () => {
    const parameters = Float64Array.of(1);
    const adam = createOptimizer(choice);
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
    const adam = createOptimizer({ ...choice, learningRate: 0.3, beta2: 0.999 });
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
    const [growing, fixed] = [createOptimizer(choice), createOptimizer(choice)];
    const [a, b] = [new Float64Array(2), new Float64Array(2)];
    growing.step(a.subarray(0, 1), Float64Array.of(1));
    fixed.step(b, Float64Array.of(1, 0));
    growing.step(a, Float64Array.of(1, 5));
    fixed.step(b, Float64Array.of(1, 5));
    assert.deepEqual(a, b);
  });

  it("state() and restore() continue the same steps; the state of another optimizer is refused", () => {
    const adam = createOptimizer(choice);
    const a = Float64Array.of(1, 2);
    adam.step(a, Float64Array.of(0.3, -0.2));
    const copy = createOptimizer(choice);
    copy.restore(JSON.parse(JSON.stringify(adam.state())) as ReturnType<typeof adam.state>);
    const b = a.slice();
    adam.step(a, Float64Array.of(1, 1));
    copy.step(b, Float64Array.of(1, 1));
    assert.deepEqual(a, b);
    assert.throws(() => copy.restore({ kind: "sgd", steps: 1, slots: [] }), {
      name: "TypeError",
      message: "Cannot restore the optimizer: the state must be of adam, got one of sgd.",
    });
  });
});

describe("SGD", () => {
  const sgd = (maxGradNorm: number | null = null): ReturnType<typeof createOptimizer> =>
    createOptimizer({ kind: "sgd", learningRate: 1, maxGradNorm });

  it("moves the parameters of the blocks that a gradient names, and no others", () => {
    const parameters = new Float64Array(6);
    sgd().step(parameters, { values: Float64Array.of(1, 2, 7, 7, 3, 4), width: 2, blocks: [0, 4] });
    near(parameters, [-1, -2, 0, 0, -3, -4]);
  });

  it("leaves a gradient shorter than maxGradNorm as it is", () => {
    const parameters = new Float64Array(2);
    sgd(10).step(parameters, Float64Array.of(3, 4));
    near(parameters, [-3, -4]);
  });

  it("takes the word of the caller for the norm", () => {
    const parameters = new Float64Array(2);
    assert.equal(sgd(1).step(parameters, Float64Array.of(3, 4), 10), 10);
    near(parameters, [-0.3, -0.4]);
  });

  it("has no state but the count of its steps, and refuses that of Adam", () => {
    const one = sgd();
    one.step(new Float64Array(1), Float64Array.of(1));
    one.step(new Float64Array(1), Float64Array.of(1));
    assert.deepEqual(one.state(), { kind: "sgd", steps: 2, slots: [] });
    assert.deepEqual(one.snapshot(), one.state());
    const other = sgd();
    other.restore(one.state());
    assert.deepEqual(other.state(), one.state());
    const message = (kind: string): string =>
      `Cannot restore the optimizer: the state must be of sgd, got one of ${kind}.`;
    assert.throws(() => other.restore({ kind: "adam", steps: 1, slots: [] }), { message: message("adam") });
    assert.throws(() => other.restore({ kind: "sgd", steps: 1, slots: [[1]] }), { message: message("sgd") });
  });
});

describe("Adam", () => {
  const plain = (): ReturnType<typeof descent> => descent({ update: { optimizer: choice } } as Recipe);
  const wave = (length: number, k: number): Float64Array =>
    Float64Array.from({ length }, (_, j) => Math.sin(1 + 3 * j + k));
  type Adam = ReturnType<typeof createOptimizer>;

  it("follows the formula also where gradients are large, grow and come in blocks in between", () => {
    const adam = createOptimizer(choice);
    const expected = plain();
    const [a, b] = [new Float64Array(3000), new Float64Array(3000)];
    const step = (length: number, k: number): void => {
      adam.step(a.subarray(0, length), wave(length, k));
      expected(b.subarray(0, length), wave(length, k));
    };
    for (let k = 0; k < 3; k++) step(1500, k);
    // Only block 1 has a gradient; all the others go on by their mean.
    const values = new Float64Array(1500);
    values[10] = 2;
    adam.step(a.subarray(0, 1500), { values, width: 10, blocks: [10] });
    expected(b.subarray(0, 1500), values);
    for (let k = 0; k < 3; k++) step(3000, k);
    near(a, [...b]);
  });

  it("goes on from a snapshot or a state taken before, whatever has happened since", () => {
    for (const length of [4, 1500]) {
      for (const take of [(o: Adam) => structuredClone(o.snapshot()), (o: Adam) => o.state()]) {
        const adam = createOptimizer(choice);
        const a = new Float64Array(length);
        for (let k = 0; k < 2; k++) adam.step(a, wave(length, k));
        const kept = take(adam);
        const before = a.slice();
        adam.step(a, wave(length, 7));
        const after = a.slice();
        adam.step(a, wave(length, 8));
        adam.restore(kept);
        assert.deepEqual(
          adam.state().slots.map((slot) => slot.length),
          [length, length],
        );
        const again = before.slice();
        adam.step(again, wave(length, 7));
        assert.deepEqual(again, after);
      }
    }
  });

  it("gives its state as a snapshot too, also after it has grown", () => {
    const adam = createOptimizer(choice);
    const a = new Float64Array(8);
    for (const length of [2, 8]) {
      adam.step(a.subarray(0, length), wave(length, 1));
      const { kind, steps, slots } = adam.snapshot();
      assert.deepEqual({ kind, steps, slots: slots.map((slot) => Array.from(slot)) }, adam.state());
    }
  });

  it("lets every block that ever had a gradient go on: others come and go, widths change, blocks appear", () => {
    const adam = createOptimizer(choice);
    const expected = plain();
    const [a, b] = [new Float64Array(40), new Float64Array(40)];
    const step = (length: number, width: number, ...blocks: number[]): void => {
      const values = new Float64Array(length);
      for (const from of blocks) for (let i = from; i < from + width; i++) values[i] = 1 + i;
      adam.step(a.subarray(0, length), { values, width, blocks });
      expected(b.subarray(0, length), values);
    };
    step(6, 2, 0);
    step(6, 2, 4);
    step(6, 3, 3);
    step(6, 1, 2);
    // Twice each, as a block that was not noted would be taken twice.
    for (let k = 0; k < 3; k++) step(40, 1, 31, 7);
    near(a, [...b]);
  });

  it("knows which blocks a restored state is about", () => {
    const donor = createOptimizer(choice);
    const c = new Float64Array(4);
    donor.step(c, { values: Float64Array.of(0, 0, 1, 2), width: 2, blocks: [2] });
    const adam = createOptimizer(choice);
    const a = c.slice();
    adam.step(a, { values: Float64Array.of(1, 2, 0, 0), width: 2, blocks: [0] });
    adam.restore(donor.state());
    const more = { values: Float64Array.of(1, 2, 0, 0), width: 2, blocks: [0] };
    const before = a.slice();
    adam.step(a, more);
    assert.notEqual(a[2], before[2]);
  });

  it("lets the squares fade where there is neither a gradient nor a mean", () => {
    const adam = createOptimizer({ ...choice, beta1: 0 });
    const a = Float64Array.of(0);
    // With beta1 = 0, the mean is the gradient: 1, 0, 0. v = 0.01, 0.0099, 0.009801.
    for (const g of [1, 0, 0]) adam.step(a, Float64Array.of(g));
    near(adam.state().slots[1]!, [0.01 * 0.99 * 0.99]);
    // The first step alone moved the parameter: by 0.1 * 1 / (1 + 1e-8).
    near(a, [-0.1 / (1 + 1e-8)]);
  });

  it("forgets means below 1e-30, but not one of exactly that", () => {
    const mean = (g: number): number => {
      const adam = createOptimizer({ ...choice, beta1: 0 });
      adam.step(Float64Array.of(0), Float64Array.of(g));
      return adam.state().slots[0]![0]!;
    };
    assert.deepEqual([1e-30, -1e-30, 9e-31, -9e-31].map(mean), [1e-30, -1e-30, 0, 0]);
  });

  it("refuses a state without both of its slots", () => {
    assert.throws(() => createOptimizer(choice).restore({ kind: "adam", steps: 1, slots: [[1]] }), {
      message: "Cannot restore the optimizer: the state must be of adam, got one of adam.",
    });
  });
});

describe("createOptimizer() in a cell", () => {
  it("fills in what is left out, and takes a bare name", () => {
    const [named, given] = [createOptimizer("adam"), createOptimizer({ kind: "adam", learningRate: 0.03 })];
    const parameters = [Float64Array.of(1), Float64Array.of(1)] as const;
    for (const [i, one] of [named, given].entries()) one.step(parameters[i]!, Float64Array.of(2));
    assert.deepEqual(parameters[0], parameters[1]);
    // The first step of Adam is learningRate * g / (|g| + epsilon).
    near(parameters[0], [1 - (0.03 * 2) / (2 + 1e-8)]);
  });

  const wrong: readonly [unknown, string][] = [
    [
      "adma",
      'Cannot make an optimizer: optimizer.kind must be "adam" or "sgd", got "adma".\nDid you mean "adam"?',
    ],
    [
      { kind: "sgd", lr: 1 },
      'unknown option "optimizer.lr".\nOptimizer with kind "sgd" may have only learningRate, maxGradNorm.',
    ],
    [{ kind: "sgd", learningRate: -1 }, "optimizer.learningRate must be at least 0, got -1."],
  ];
  for (const [given, sentence] of wrong) {
    it(`refuses ${JSON.stringify(given)} with a sentence`, () => {
      assert.throws(
        () => createOptimizer(given as never),
        (error: Error) => error.message.includes(sentence),
      );
    });
  }
});
