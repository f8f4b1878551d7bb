import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { root } from "../../support/paths.js";

/** How many modules of TensorFlow.js a process has loaded after each of some lines of code. */
function loadedAfter(lines: readonly string[]): number[] {
  const count =
    "told.push(Object.keys(require.cache).filter((file) => /node_modules.@tensorflow/.test(file)).length);";
  const code = `const told = []; ${lines.map((line) => `${line}; ${count}`).join(" ")} console.log(JSON.stringify(told));`;
  return JSON.parse(
    execFileSync(process.execPath, ["-e", code], { cwd: root, encoding: "utf8" }),
  ) as number[];
}

describe("turnwise/rule", () => {
  it("makes recipes and computes gradients without TensorFlow.js, which loads when a custom loss needs it", () => {
    const input =
      "{ shape: [1, 1, 1], logProb_ntl: [-1], oldLogProb_ntl: [-1], mask_ntl: [1], advantage_ntl: [1] }";
    const mine = "rule.custom('mine', (tf, x) => tf.neg(x.tokenMean(x.logProb_ntl)))";
    const [loaded, recipe, gradient, loss] = loadedAfter([
      "const rule = require('turnwise/rule')",
      "const grpo = rule.recipe('grpo')",
      `rule.surrogateGradient(${input}, grpo)`,
      `rule.surrogateGradient(${input}, rule.recipe('grpo', { loss: ${mine} }))`,
    ]);
    assert.deepEqual([loaded, recipe, gradient], [0, 0, 0]);
    assert.ok(loss! > 0, "a custom loss is differentiated by TensorFlow.js");
  });

  it("loads TensorFlow.js for an importance ratio, not for the whole library or its `tf`", () => {
    const [loaded, named, ratio] = loadedAfter([
      "const turnwise = require('turnwise')",
      "const { tf } = turnwise",
      "turnwise.importanceRatio(...[0, 0, 1].map((x) => tf.fill([1, 1, 1], x)), { level: 'token', pooling: 'product' })",
    ]);
    assert.deepEqual([loaded, named], [0, 0]);
    assert.ok(ratio! > 0);
  });
});
