import assert from "node:assert/strict";
import { median } from "../bench/peers/statistics.js";
import { soak } from "./soak/run.js";
import { sharedKernel } from "./with-kernel.js";

const cells = 300;

describe("a long notebook", function () {
  this.timeout(180_000);
  const kernel = sharedKernel();

  it(`keeps its pace and its memory over up to ${cells} checked cells with output`, async () => {
    const {
      cells: done,
      times,
      memory,
      total,
      tensors,
    } = await soak(kernel(), {
      cells,
      budgetMs: 55_000,
      sampleEvery: 20,
    });
    // Each cell adds the sum of a matrix of 8 x 8 ones.
    assert.equal(total, String(64 * done));
    assert.equal(tensors, "0", "no tensor is held by a display");
    assert.ok(done > 60, `only ${done} cells`);
    const early = median(times.slice(20, 40));
    const late = median(times.slice(-20));
    // Twice is the goal; the rest is room for a machine that other work shares.
    assert.ok(
      late < 4 * early,
      `a cell took ${early.toFixed(0)} ms at first and ${late.toFixed(0)} ms after ${done}`,
    );
    const grown = memory.at(-1)!.session - memory[1]!.session;
    assert.ok(grown < 60, `the session grew by ${grown.toFixed(0)} MB after cell ${memory[1]!.cells}`);
  });
});
