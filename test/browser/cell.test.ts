import assert from "node:assert/strict";
import { shared } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  "const answer: number = 6 * 7;\nanswer",
  'throw new RangeError("as it must be less, but it is " + answer)',
];

describe("a cell in JupyterLab", function () {
  this.timeout(180_000);
  let lab: LabPage | undefined;
  shared(
    async (laboratory) => {
      lab = await LabPage.open(laboratory, laboratory.write("cell.ipynb", cells));
    },
    () => lab?.close(),
  );

  it("runs and shows its value, and the next one its error", async () => {
    assert.ok(lab);
    const [good, bad] = [lab.codeCell("const answer"), lab.codeCell("throw new")];
    await lab.run(good);
    await good.locator(".jp-OutputArea-output", { hasText: /^42$/ }).waitFor();
    await lab.run(bad);
    await lab.says(bad, /RangeError: as it must be less, but it is 42/);
    assert.equal((await lab.errors()).length, 1);
  });
});
