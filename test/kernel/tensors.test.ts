import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { plain, resultText, sharedKernel, started } from "./with-kernel.js";

const loops: [string, string][] = [
  ["a synchronous loop of matMul inside tidy", "tf.tidy(() => { for (;;) tf.matMul(a, a) })"],
  ["nested tidy in a loop", "for (;;) tf.tidy(() => tf.sum(tf.tidy(() => tf.matMul(a, a))))"],
  ["a synchronous optimizer loop", "for (;;) optimizer.minimize(() => tf.sum(tf.square(w)) as tf.Scalar)"],
  [
    "an asynchronous optimizer loop",
    "for (;;) { optimizer.minimize(() => tf.sum(tf.square(w)) as tf.Scalar); await new Promise(r => setTimeout(r, 0)) }",
  ],
  ["a loop that awaits tf.nextFrame", "for (;;) { tf.matMul(a, a).dispose(); await tf.nextFrame() }"],
  ["a loop that awaits data", "for (;;) { const m = tf.matMul(a, a); await m.data(); m.dispose() }"],
];

describe("interrupts of TensorFlow.js", function () {
  this.timeout(90_000);
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });
  before(async () => {
    const setup = await kernel().execute(
      "import { tf } from 'turnwise/internal/tensor/backend'\nawait tf.ready()\n" +
        "const a = tf.ones([40, 40]); const w = tf.variable(tf.ones([4])); const optimizer = tf.train.adam(0.01)",
    );
    assert.equal(setup.status, "ok", plain(setup.error?.traceback));
  });

  for (const [title, code] of loops) {
    it(`leave gradients and scopes healthy after ${title}`, async () => {
      const { result } = await started(kernel(), code);
      // Well within the loop, or at its first step.
      await sleep(20);
      await kernel().interrupt();
      const stopped = await result;
      assert.equal(stopped.error?.ename, "KernelInterrupt", plain(stopped.error?.traceback));
      assert.doesNotMatch(stopped.error.evalue, /terminated/, "the cell stopped by itself");
      // The cell's own scope stack must be empty again, and the next gradient must find its variables.
      const health = await kernel().execute(
        "const engine = tf.engine() as any; const loss = optimizer.minimize(() => tf.sum(tf.square(w)) as tf.Scalar, true)!.dataSync()[0]!;\n" +
          "[engine.state.scopeStack.length, engine.state.kernelDepth, engine.state.gradientDepth, Number.isFinite(loss)].join()",
      );
      assert.equal(resultText(health), "'0,0,0,true'", plain(health.error?.traceback));
    });
  }

  it("go back to the backend from before when V8 ends a cell within tensors of doubles", async () => {
    // A regular expression that takes for ever comes by no mark: only V8 can end it.
    let begun: () => void = () => undefined;
    const within = new Promise<void>((resolve) => (begun = resolve));
    const { result } = await started(
      kernel(),
      `import { custom, recipe, surrogateGradient } from "turnwise/internal/rule/index";
const forever = custom("forever", (tf: any, x: any) => { console.log("within"); /^(a+)+$/.test("a".repeat(60) + "b"); return tf.sum(x.logProb_ntl) });
const one = [1]; const input = { shape: [1, 1, 1], logProb_ntl: one, oldLogProb_ntl: one, mask_ntl: one, advantage_ntl: one };
surrogateGradient(input as any, recipe("grpo", { loss: forever as any }))`,
      {
        onMessage: ({ content }) => {
          if (String(content.text).includes("within")) begun();
        },
      },
    );
    await Promise.race([within, result]);
    await kernel().interrupt();
    const stopped = await result;
    assert.match(stopped.error?.evalue ?? "", /terminated/, plain(stopped.error?.traceback));
    const after = await kernel().execute(
      "[tf.getBackend(), tf.backend().constructor.name, tf.add(1, 2).dataSync()[0]].join()",
    );
    assert.equal(resultText(after), "'cpu,MathBackendCPU,3'", plain(after.error?.traceback));
  });
});
