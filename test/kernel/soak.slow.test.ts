import assert from "node:assert/strict";
import { soak } from "./soak/run.js";
import { sharedKernel } from "./with-kernel.js";

const cells = 61;

describe("a long notebook", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  it(`keeps its memory over ${cells} checked cells with output`, async () => {
    const { memory, total, tensors } = await soak(kernel(), { cells, sampleEvery: 20 });
    // Each cell adds the sum of a matrix of 8 x 8 ones.
    assert.equal(total, String(64 * cells));
    assert.equal(tensors, "0", "no tensor is held by a display");
    const grown = memory.at(-1)!.session - memory[1]!.session;
    assert.ok(grown < 60, `the session grew by ${grown.toFixed(0)} MB after cell ${memory[1]!.cells}`);
  });
});
