import assert from "node:assert/strict";
import { recipeNames } from "turnwise";
import { toldByWebGpu, wrongOf } from "./told.js";

describe("WebGPU, on a GPU that is a program, with every rule", function () {
  this.timeout(300_000);

  it("has loss and gradient of every rule, every gate and custom losses, to 1e-5 of those in doubles", async function () {
    const told = await toldByWebGpu(this, true);
    const rows = Object.keys(told.errors).filter((title) => title.startsWith("row "));
    assert.equal(rows.length, recipeNames.length);
    assert.deepEqual(wrongOf(told), []);
  });
});
