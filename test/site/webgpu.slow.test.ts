import assert from "node:assert/strict";
import type { BackendReport } from "turnwise/tensor";
import { skip } from "../support/needs.js";
import { patient } from "../support/patient.js";
import { whyNoWebGpu } from "../support/webgpu.js";
import { LibraryPage, type Site } from "./libraryPage.js";

type Tensor = typeof import("turnwise/tensor");

/** The gradient of a small network on a backend, and what is said of the backend. Runs in the page. */
async function gradientOn(
  { load }: Site,
  only: "cpu" | "webgpu",
): Promise<{ report: BackendReport; gradient: number[] }> {
  const { loadBackend, tf } = await load<Tensor>("turnwise/tensor");
  const report = await loadBackend({ only });
  const x = tf.tensor2d([0.5, -1, 2, 0.25, 1, -0.75], [2, 3]);
  const weights = tf.tensor2d([0.1, -0.2, 0.3, 0.4, -0.5, 0.6], [3, 2]);
  const gradient = tf.grad((w) => tf.mean(tf.square(tf.tanh(tf.matMul(x, w as typeof weights)))))(weights);
  return { report, gradient: [...(await gradient.data())] };
}

describe("WebGPU in a page, on a GPU that is a program", function () {
  this.timeout(patient(120_000));

  it("has the gradients of the processor to 1e-5, and says on what it runs", async function () {
    const reason = whyNoWebGpu();
    if (reason !== undefined) skip(this, reason, "npm test -- test/site/webgpu.test.ts");
    const site = await LibraryPage.open(this, false, { hasWebGpu: true });
    try {
      const cpu = await site.run(gradientOn, "cpu");
      const { report, gradient } = await site.run(gradientOn, "webgpu");
      assert.equal(report.tfjsName, "webgpu");
      assert.equal(report.attempts[0]!.reason, "on the browser's WebGPU");
      assert.equal(gradient.length, 6);
      gradient.forEach((g, i) =>
        assert.ok(Math.abs(g - cpu.gradient[i]!) < 1e-5, `${g}, ${cpu.gradient[i]}`),
      );
      assert.ok(cpu.gradient.some((g) => Math.abs(g) > 0.01));
    } finally {
      await site.close();
    }
  });

  it("is refused in a sentence where the browser has none", async function () {
    const site = await LibraryPage.open(this, false);
    try {
      await assert.rejects(
        site.run(gradientOn, "webgpu"),
        /Cannot load the backend "webgpu": this browser has (no WebGPU here|WebGPU, but found no GPU)/,
      );
    } finally {
      await site.close();
    }
  });
});
