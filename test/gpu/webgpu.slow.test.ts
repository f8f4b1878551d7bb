import assert from "node:assert/strict";
import { someCases } from "./gradients.js";
import type { Told } from "./tell.js";
import { toldByWebGpu, wrongOf } from "./told.js";

describe("WebGPU, on a GPU that is a program", function () {
  this.timeout(300_000);
  let told: Told;

  before(async function () {
    told = await toldByWebGpu(this);
  });

  // Every row and every gate at every level of ratios: webgpu.matrix.test.ts.
  it("has loss and gradient of every choice that rows make, and of custom losses, to 1e-5 of those in doubles", () => {
    assert.deepEqual(
      Object.keys(told.errors),
      someCases().map(({ title }) => title),
    );
    assert.deepEqual(wrongOf(told), []);
  });

  it("loads, says on what, and leaves no navigator.gpu behind", () => {
    assert.equal(told.alone.name, "webgpu");
    assert.equal(told.alone.tfjsName, "webgpu");
    assert.equal(told.alone.choice, "webgpu runs, as it was asked for.");
    assert.match(told.alone.attempts[0]!.reason, /^on google SwiftShader .*, which is no GPU but a program/);
    assert.equal(told.navigatorHasGpu, false);
  });

  it("reads at once by dataSync() and later by data(), the same numbers", () => {
    // The floats nearest to e^2 = 7.3890561; range / 1000 is rounded, too.
    assert.ok(Math.abs(told.read.atOnce - 7.3890561) < 1e-5, String(told.read.atOnce));
    assert.equal(told.read.later, told.read.atOnce);
  });

  it("throws where the GPU refused a command, instead of numbers that were never computed", () => {
    assert.match(
      told.refusal,
      /^Cannot read a tensor: the GPU must have computed it, but it refused a command, "Error while parsing WGSL/,
    );
  });

  it("is compared with pure JavaScript by a trial, and the faster one runs", () => {
    const { name, choice, attempts } = told.both;
    assert.deepEqual(
      attempts.map((attempt) => [attempt.name, attempt.loaded]),
      [
        ["node-gpu", false],
        ["webgpu", true],
        ["node", false],
        ["cpu", true],
      ],
    );
    const number = String.raw`(\d+(?:\.\d)?) ms`;
    const said = new RegExp(
      `^(\\w+) runs, as it took ${number} for a gradient of two layers with 256 rows: (\\w+) ${number}\\.$`,
    ).exec(choice);
    assert.ok(said, choice);
    const [, faster, least, slower, most] = said;
    assert.equal(faster, name);
    assert.deepEqual([faster, slower].sort(), ["cpu", "webgpu"]);
    assert.ok(Number(least) <= Number(most), choice);
  });
});
