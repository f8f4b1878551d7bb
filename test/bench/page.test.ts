import assert from "node:assert/strict";
import { printedBy } from "./printed.js";
import { plainWork } from "./update/plainWork.js";
import { work } from "./update/work.js";

describe("benchmarks", () => {
  it("update: the TensorFlow.js expression, whose row a GPU would have, has the losses of the fused form", () => {
    const fused = work("mlp", 8, "wasm");
    const plain = plainWork(fused);
    for (let i = 0; i < 3; i++) {
      const [loss, own] = [plain.step(), fused.step()];
      assert.ok(Math.abs(loss - own) < 1e-5, `${i}: ${loss}, ${own}`);
    }
  }).timeout(60_000);

  it("the page: refuses a Node that is none of those that the tests have", async () => {
    await assert.rejects(
      printedBy("main.js", ["--node", "23"]),
      /Cannot run the benchmarks in Node 23: it must be another one of 20, 22, 24, 26, and be here\.\nTo fetch them, run: npm run nodes/,
    );
  }).timeout(60_000);

  it("the page: refuses a part that is none", async () => {
    await assert.rejects(printedBy("main.js", ["updates"]), {
      message:
        'main.js ended with 1: Cannot run the benchmark "updates": it must be one of ' +
        "update, rollout, tabular, endToEnd, kernel, sweep.\n",
    });
  }).timeout(60_000);
});
