import assert from "node:assert/strict";
import { afterEach } from "mocha";
import { backendReport, loadBackend } from "turnwise/tensor";
import { tf } from "turnwise";

describe("backend", () => {
  afterEach(() => loadBackend({ only: "cpu" }));

  it("tf has gradients: d/dx mean(exp(x)) = exp(x) / n", () => {
    const numTensors = tf.memory().numTensors;
    tf.tidy(() => {
      const gradient = tf.grad((x) => tf.mean(tf.exp(x)))(tf.tensor1d([0, 1]));
      // exp(0) / 2 = .5 and e / 2 = 1.35914
      const [a, b] = gradient.dataSync();
      assert.ok(Math.abs(a! - 0.5) < 1e-6 && Math.abs(b! - Math.E / 2) < 1e-6);
    });
    assert.equal(tf.memory().numTensors, numTensors);
  });

  it("tf has chained methods", () => {
    tf.tidy(() => assert.equal(tf.scalar(2).add(3).mul(4).dataSync()[0], 20));
  });

  it("gather, split, matMul and softmax can be differentiated, as the neural policies need", () => {
    tf.tidy(() => {
      const loss = (w: tf.Tensor): tf.Scalar => {
        const rows = tf.gather(w, tf.tensor1d([0, 2, 0], "int32"));
        const [left, right] = tf.split(rows, 2, 1) as [tf.Tensor2D, tf.Tensor2D];
        return tf.sum(tf.logSoftmax(tf.matMul(left, right, false, true)));
      };
      const w = tf.tensor2d([0.1, 0.4, -0.3, 0.2, 0.5, -0.6], [3, 2]);
      const gradient = tf.grad(loss)(w).dataSync();
      const h = 1e-2;
      for (let i = 0; i < 6; i++) {
        const shifted = (sign: number): number => {
          const values = Array.from(w.dataSync());
          values[i]! += sign * h;
          return loss(tf.tensor2d(values, [3, 2])).dataSync()[0]!;
        };
        const central = (shifted(1) - shifted(-1)) / (2 * h);
        assert.ok(Math.abs(gradient[i]! - central) < 2e-3, `component ${i}: ${gradient[i]} and ${central}`);
      }
    });
  });

  it("loadBackend() ends on cpu when no addon is installed, and says why for each", async () => {
    const report = await loadBackend();
    assert.equal(report.name, "cpu");
    assert.equal(report.tfjsName, "cpu");
    assert.deepEqual(
      report.attempts.map((attempt) => [attempt.name, attempt.loaded]),
      [
        ["node-gpu", false],
        ["webgpu", false],
        ["node", false],
        ["cpu", true],
      ],
    );
    assert.match(report.attempts[2]!.reason, /stand-in for danfojs-node/);
    assert.equal(report.choice, "cpu runs, as no other backend loads.");
    assert.deepEqual(backendReport(), report);
  });

  it("loadBackend() goes on after any error, with a code or without", async () => {
    const report = await loadBackend({
      importPackage: () =>
        Promise.reject(new Error("The Node.js native addon module can not be found\nmore")),
    });
    assert.equal(report.name, "cpu");
    assert.equal(report.attempts[0]!.reason, "The Node.js native addon module can not be found");
  });

  it("loadBackend() refuses a package that registers no backend with our TensorFlow.js", async () => {
    const report = await loadBackend({ importPackage: () => Promise.resolve({}) });
    assert.equal(report.name, "cpu");
    assert.match(report.attempts[0]!.reason, /registered no backend|not found in registry/);
  });

  it("loadBackend({ only }) throws the reason when that backend does not load", async () => {
    await assert.rejects(
      loadBackend({ only: "node", importPackage: () => Promise.reject(new Error("no addon")) }),
      {
        message: 'Cannot load the backend "node": no addon',
      },
    );
  });
});
