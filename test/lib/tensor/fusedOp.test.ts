import assert from "node:assert/strict";
import { createRng, tf } from "turnwise";
import { MlpOp } from "turnwise/tensor";

describe("MlpOp", () => {
  const shape = { tokenCount: 7, vocabularySize: 5, window: 3, width: 6 };
  const op = new MlpOp(shape);
  const rng = createRng(4);
  const weights = Float32Array.from({ length: op.parameterCount }, () => 0.5 * rng.normal());
  const contexts = [[1], [2, 6], [0, 3, 5], [4, 4, 1, 2, 0]];
  const chosen = [0, 4, 2, 2];
  const slope = [1, -0.5, 2, 0.25];

  const valueAndGradient = (form: "plain" | "fused"): { value: Float32Array; gradient: Float32Array } => {
    const tensors = tf.tidy(() => {
      const w = tf.tensor1d(weights);
      const loss = (x: tf.Tensor): tf.Scalar =>
        tf.sum(tf.mul(op[form](x as tf.Tensor1D, contexts, chosen), tf.tensor1d(slope)));
      return [op[form](w, contexts, chosen), tf.grad(loss)(w)] as const;
    });
    const [value, gradient] = tensors.map((tensor) => Float32Array.from(tensor.dataSync()));
    tf.dispose([...tensors]);
    return { value: value!, gradient: gradient! };
  };

  it("the fused form has value and gradient of the plain TensorFlow.js expression, to 2e-6", () => {
    const [plain, fused] = [valueAndGradient("plain"), valueAndGradient("fused")];
    assert.equal(plain.value.length, 4);
    assert.ok(plain.gradient.some((g) => Math.abs(g) > 0.1));
    for (const part of ["value", "gradient"] as const) {
      plain[part].forEach((x, i) => assert.ok(Math.abs(x - fused[part][i]!) < 2e-6, `${part} ${i}`));
    }
  });

  it("with all weights 0 every log-prob is ln 1/5", () => {
    tf.tidy(() => {
      const zeros = tf.zeros([op.parameterCount]) as tf.Tensor1D;
      for (const x of op.fused(zeros, contexts, chosen).dataSync()) {
        assert.ok(Math.abs(x + Math.log(5)) < 1e-6);
      }
    });
  });

  it("leaves no tensor behind over 200 gradients", () => {
    valueAndGradient("fused");
    const before = tf.memory().numTensors;
    for (let i = 0; i < 200; i++) valueAndGradient("fused");
    assert.equal(tf.memory().numTensors, before);
  });

  it("names tokens that do not exist, and a context without any", () => {
    const w = tf.zeros([op.parameterCount]) as tf.Tensor1D;
    for (const form of ["plain", "fused"] as const) {
      assert.throws(() => op[form](w, [[7]], [0]), {
        name: "RangeError",
        message:
          "Cannot evaluate the MLP: contexts must be of tokens below 7 and each have one chosen token below 5, got [7].",
      });
      assert.throws(() => op[form](w, [[]], [0]), { message: /got \[\]\.$/ });
      assert.throws(() => op[form](w, [[1]], [5]), { message: /got \[5\]\.$/ });
    }
    w.dispose();
  });
});
