import assert from "node:assert/strict";
import { tf } from "turnwise";
import { detached, doublesOf, doubleTensor, inFloat64 } from "turnwise/internal/tensor/float64/backend";
import { derivatives, tidied } from "turnwise/internal/tensor/float64/derivatives";

/** Odd numbers that no single holds, positive and negative, none near a kink. */
const numbers = (count: number, sign = 0): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => {
    const x = 0.1 + ((7 * i) % 11) / 13;
    return sign === 0 ? (i % 2 === 0 ? x : -x) : sign * x;
  });

const positive = (...shape: number[]): tf.Tensor => doubleTensor(numbers(size(shape), 1), shape);
const signed = (...shape: number[]): tf.Tensor => doubleTensor(numbers(size(shape)), shape);
const size = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Functions of tensors by what they do; each is computed by our kernels and by TensorFlow.js's. */
const operations: Readonly<Record<string, () => tf.Tensor>> = {
  "add, broadcast over rows": () => tf.add(signed(2, 3), positive(3)),
  "sub, broadcast both ways": () => tf.sub(signed(2, 1, 3), positive(4, 1)),
  "mul by a number": () => tf.mul(signed(2, 3), 0.3),
  "number divided by": () => tf.div(4, positive(2, 3)),
  divNoNan: () => tf.divNoNan(signed(4), tf.tensor1d([1, 0, 2, 0])),
  "maximum, minimum": () => tf.maximum(tf.minimum(signed(6), 0.4), -0.4),
  pow: () => tf.pow(positive(4), 1.7),
  squaredDifference: () => tf.squaredDifference(signed(4), positive(4)),
  atan2: () => tf.atan2(signed(4), positive(4)),
  addN: () => tf.addN([signed(4), positive(4), signed(4)]),
  "exp, log": () => tf.log(tf.exp(signed(5))),
  "expm1, log1p": () => tf.log1p(tf.expm1(positive(5))),
  "sqrt, rsqrt, square, reciprocal": () => tf.reciprocal(tf.square(tf.rsqrt(tf.sqrt(positive(5))))),
  "abs, neg, sign": () => tf.mul(tf.neg(tf.abs(signed(5))), tf.sign(signed(5))),
  "floor, ceil": () => tf.sub(tf.ceil(signed(5)), tf.floor(signed(5))),
  "sigmoid, tanh, softplus": () => tf.sigmoid(tf.tanh(tf.softplus(signed(5)))),
  "relu, relu6, leakyRelu, elu": () =>
    tf.relu(tf.add(tf.relu6(signed(4)), tf.leakyRelu(tf.elu(signed(4)), 0.1))),
  "step with a slope": () => tf.step(signed(4), 0.25),
  "sin, cos, tan": () => tf.sin(tf.cos(tf.tan(signed(5)))),
  "asin, acos, atan": () => tf.add(tf.asin(signed(5)), tf.acos(tf.atan(signed(5)))),
  "sinh, cosh": () => tf.sinh(tf.cosh(signed(5))),
  clipByValue: () => tf.clipByValue(signed(6), -0.2, 0.3),
  "where by cells": () => tf.where(tf.greater(signed(6), 0), signed(6), positive(6)),
  "comparisons and counts": () => tf.sum(tf.cast(tf.less(signed(6), 0.2), "float32")),
  "sum of all": () => tf.sum(signed(2, 3)),
  "sum over the middle axis, kept": () => tf.sum(signed(2, 3, 2), [1], true),
  "mean over two axes": () => tf.mean(signed(2, 3, 2), [0, 2]),
  "max, min": () => tf.add(tf.max(signed(2, 3), 1), tf.min(signed(2, 3), 1)),
  prod: () => tf.prod(signed(2, 3), 0),
  "logSumExp, softmax, logSoftmax": () =>
    tf.add(tf.add(tf.logSumExp(signed(2, 3)), tf.softmax(signed(2, 3))), tf.logSoftmax(signed(2, 3))),
  "moments, norm": () => tf.add(tf.moments(signed(2, 3)).variance, tf.norm(signed(2, 3))),
  "cumsum, exclusive and reversed": () => tf.cumsum(signed(2, 3, 2), 1, true, true),
  "cumsum of the first axis": () => tf.cumsum(signed(3, 2), 0),
  cumprod: () => tf.cumprod(signed(2, 3), 1),
  "matMul, transposed": () => tf.matMul(signed(2, 3, 4), positive(2, 5, 4), false, true),
  "matMul, the first transposed": () => tf.matMul(signed(3, 2), positive(3, 4), true),
  "dot, outerProduct": () =>
    tf.add(
      tf.dot(signed(3), positive(3)),
      tf.outerProduct(signed(2) as tf.Tensor1D, positive(3) as tf.Tensor1D),
    ),
  "transpose, reshape": () => tf.reshape(tf.transpose(signed(2, 3, 2), [2, 0, 1]), [3, 4]),
  "slice, stridedSlice": () =>
    tf.add(tf.slice(signed(4, 3), [1, 0], [2, 2]), tf.stridedSlice(signed(4, 3), [0, 0], [4, 2], [2, 1])),
  "tile, broadcastTo": () => tf.add(tf.tile(signed(1, 3), [2, 1]), tf.broadcastTo(positive(2, 1), [2, 3])),
  gather: () => tf.gather(signed(3, 2), tf.tensor1d([2, 0, 2], "int32")),
  "reverse, mirrorPad": () =>
    tf.mirrorPad(
      tf.reverse(signed(3, 2), 0),
      [
        [1, 0],
        [0, 1],
      ],
      "reflect",
    ),
  "concat, stack": () => tf.concat([tf.stack([signed(3), positive(3)]), signed(1, 3)], 0),
  "split, unstack": () => tf.add(tf.split(signed(4, 2), 2)[1]!, tf.unstack(positive(2, 2, 2))[0]!),
  "pad with a number": () =>
    tf.pad(
      signed(2, 2),
      [
        [1, 0],
        [0, 2],
      ],
      0.7,
    ),
  "fill, ones, zeros": () => tf.add(tf.fill([3], 0.3), tf.onesLike(tf.zeros([3]))),
  unsortedSegmentSum: () =>
    tf.unsortedSegmentSum(signed(4, 2), tf.tensor1d([1, 0, 1, 1], "int32") as tf.Tensor1D, 2),
  integers: () => tf.cast(tf.add(tf.tensor1d([1, 2], "int32"), tf.scalar(3, "int32")), "float32"),
  "what only TensorFlow.js has: round, topk": () => tf.add(tf.round(signed(4)), tf.topk(signed(6), 4).values),
};

describe("tensors of doubles", () => {
  it("give what TensorFlow.js gives, for all that a loss is likely to be written with", () => {
    for (const [name, operation] of Object.entries(operations)) {
      const ours = inFloat64(() =>
        tidied(() => ({ values: doublesOf(operation()), shape: operation().shape })),
      );
      // The same tensors, moved to the backend of singles when its kernels ask for them.
      const singles = tidied(() => {
        const result = operation();
        return { values: result.dataSync(), shape: result.shape };
      });
      assert.deepEqual(ours.shape, singles.shape, name);
      for (const [i, value] of ours.values.entries()) {
        const limit = 2e-5 * Math.max(1, Math.abs(singles.values[i]!));
        assert.ok(
          Math.abs(value - singles.values[i]!) < limit,
          `${name}: ${value} is not ${singles.values[i]}`,
        );
      }
    }
  });

  it("keep sixteen digits: values and derivatives of a clipped ratio", () => {
    inFloat64(() =>
      tidied(() => {
        const [now, old] = [-12.3456789012345, -12.3456789];
        const x = doubleTensor<tf.Tensor1D>([now], [1]);
        const f = (): tf.Scalar => tf.sum(tf.mul(0.3, tf.exp(tf.sub(x, doubleTensor([old], [1])))));
        const { value, gradients } = derivatives(f, [x]);
        const exact = 0.3 * Math.exp(now - old);
        assert.equal(doublesOf(value)[0], exact);
        assert.equal(doublesOf(gradients[0]!)[0], exact);
        // Singles do not see the difference at all.
        assert.equal(Math.fround(now) - Math.fround(old), 0);
      }),
    );
  });

  it("take a constant as the decimal that was written, though TensorFlow.js rounds it to a single first", () => {
    const constant = (write: () => tf.Tensor): number =>
      inFloat64(() => tidied(() => doublesOf(write())[0]!));
    assert.equal(
      constant(() => tf.scalar(0.2)),
      0.2,
    );
    assert.equal(
      constant(() => tf.tensor1d([1.05])),
      1.05,
    );
    assert.equal(
      constant(() => tf.scalar(3e-4)),
      3e-4,
    );
    assert.equal(
      constant(() => tf.scalar(1e30)),
      1e30,
    );
    // A third has more digits than a single: it stays what the single is, to its precision.
    assert.ok(Math.abs(constant(() => tf.scalar(1 / 3)) - 1 / 3) < 1e-8);
    assert.ok(Number.isNaN(constant(() => tf.scalar(NaN))));
  });

  it("are computed only within the function; the backend from before runs again, also after an error", () => {
    const before = tf.getBackend();
    assert.equal(
      inFloat64(() => tf.getBackend()),
      "turnwise-float64",
    );
    assert.equal(
      inFloat64(() => inFloat64(() => tf.getBackend())),
      "turnwise-float64",
    );
    assert.equal(tf.getBackend(), before);
    assert.throws(() => inFloat64(() => assert.fail("here")), /here/);
    assert.equal(tf.getBackend(), before);
  });

  it("reach tensors that were made outside, and let them go back", () => {
    const outside = tf.tensor1d([0.2, 2]);
    const sum = inFloat64(() => tidied(() => doublesOf(tf.sum(outside))[0]));
    assert.equal(sum, 2.2);
    assert.deepEqual(Array.from(tf.add(outside, 1).dataSync()), [Math.fround(1.2), 3]);
    outside.dispose();
  });

  it("leave none behind, not even when the function fails in the middle of its forward pass", () => {
    const before = tf.memory().numTensors;
    const failing = (): void =>
      inFloat64(() =>
        tidied(() => {
          const x = positive(4);
          derivatives(() => {
            tf.exp(tf.mul(x, x));
            throw new Error("stopped");
          }, [x]);
        }),
      );
    for (let k = 0; k < 3; k++) assert.throws(failing, /stopped/);
    assert.equal(tf.memory().numTensors, before);
  });

  it("detached, carry no gradient and count as no dependence", () => {
    inFloat64(() =>
      tidied(() => {
        const x = positive(3);
        const half = derivatives(() => tf.sum(tf.mul(x, detached(x))), [x]);
        // d/dx (x sg(x)) = sg(x), not 2 x
        assert.deepEqual(doublesOf(half.gradients[0]!), doublesOf(x));
        assert.equal(derivatives(() => tf.sum(detached(x)), [x]).gradients[0], undefined);
      }),
    );
  });
});
