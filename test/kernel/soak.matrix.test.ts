import assert from "node:assert/strict";
import { median } from "../bench/peers/statistics.js";
import { soak } from "./soak/run.js";
import { sharedKernel } from "./with-kernel.js";

const cells = 300;

describe("a long notebook", function () {
  this.timeout(180_000);
  const kernel = sharedKernel();

  it(`keeps its pace and its memory over up to ${cells} checked cells with output`, async () => {
    const o = { cells, atLeast: 101, budgetMs: 55_000, sampleEvery: 20 };
    const { cells: done, memory, total, tensors } = await soak(kernel(), o);
    // Each cell adds the sum of a matrix of 8 x 8 ones.
    assert.equal(total, String(64 * done));
    assert.equal(tensors, "0", "no tensor is held by a display");
    // Processor time, since a machine that other work shares would slow some cells down and not others.
    const paces = memory.slice(1).map((one, i) => (one.processorMs - memory[i]!.processorMs) / o.sampleEvery);
    const early = median(paces.slice(0, 2));
    const late = median(paces.slice(-3));
    assert.ok(
      late < 3 * early,
      `a cell took ${early.toFixed(0)} ms of a processor at first and ${late.toFixed(0)} ms after ${done}`,
    );
    const grown = memory.at(-1)!.session - memory[1]!.session;
    assert.ok(grown < 60, `the session grew by ${grown.toFixed(0)} MB after cell ${memory[1]!.cells}`);
  });
});
