// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { shared } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

/** The cells of the appendix of lesson 04 that its grid needs, and the grid's own, for one part of it. */
function gridCells(): string[] {
  const { cells } = readNotebook(path.join(root, "notebooks", "appendix", "04-echo-trap.ipynb"));
  return ["let full", "import { bootstrapInterval", "const cellOf", "echoTrapSweep("].map((text) => {
    const cell = cells.find(({ cell_type, source }) => cell_type === "code" && source.includes(text));
    assert.ok(cell, text);
    return cell.source.replace(/(?<=let full: .*)= false/, '= ["cost"]');
  });
}

describe("the grid of lesson 04 in JupyterLab", function () {
  this.timeout(300_000);
  let lab: LabPage;
  shared(
    async (laboratory) => {
      lab = await LabPage.open(laboratory, laboratory.write("appendix/grid.ipynb", gridCells()));
    },
    () => (lab as LabPage | undefined)?.close(),
  );

  it("keeps the runs when it is interrupted, and goes on where it was when its cell runs again", async () => {
    for (const cell of ["let full", "import { bootstrapInterval", "const cellOf"])
      await lab.run(lab.codeCell(cell));
    await lab.idle(60_000);
    const grid = lab.codeCell("const grid = echoTrapSweep(");
    const done = async (): Promise<number> => {
      await grid.locator("caption", { hasText: /[1-9]\d* of \d+ jobs/ }).waitFor();
      return Number(/(\d+) of \d+ jobs/.exec(await grid.locator("caption").innerText())![1]);
    };
    await lab.run(grid);
    assert.ok((await done()) >= 1);
    await lab.interrupt();
    await lab.idle(60_000);
    await lab.says(grid, /KernelInterrupt/);
    const atStop = await done();
    await lab.run(grid);
    await lab.running(grid);
    assert.ok((await done()) >= atStop, "what was done is there at once");
    await lab.interrupt();
    await lab.idle(60_000);
    const kept = await lab.runNew("`${runs.length} runs, ${cellOf('cost').length} of trap B`");
    await lab.idle(60_000);
    await lab.says(kept, /\d{4} runs, 40 of trap B/);
  });
});
