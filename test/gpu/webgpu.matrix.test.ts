import assert from "node:assert/strict";
import { recipeNames } from "turnwise";
import { toldByWebGpu, wrongOf } from "./told.js";

describe("WebGPU, on a GPU that is a program, with every row", function () {
  this.timeout(300_000);

  it("has loss and gradient of every row, every gate and losses of one's own, to 1e-5 of those in doubles", async function () {
    const told = await toldByWebGpu(this, true);
    const rows = Object.keys(told.errors).filter((title) => title.startsWith("row "));
    assert.equal(rows.length, recipeNames.length);
    assert.deepEqual(wrongOf(told), []);
  });
});
