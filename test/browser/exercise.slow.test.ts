import assert from "node:assert/strict";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

describe("an exercise in JupyterLab", function () {
  this.timeout(240_000);

  it("hides its hints until they are clicked, and says in one sentence what an answer lacks", async function () {
    const laboratory = await useLab(this);
    const notebook = await LabPage.open(laboratory, "exercises/01-leave-one-out.ipynb");
    try {
      const hint = notebook.page.locator(".jp-MarkdownOutput details").first();
      const text = hint.locator("p", { hasText: "filter the others" });
      await hint.waitFor();
      assert.equal(await hint.locator("summary").innerText(), "Hint 1");
      assert.equal(await text.isVisible(), false);
      await hint.locator("summary").click();
      assert.equal(await text.isVisible(), true);

      await notebook.edit(
        notebook.codeCell("function leaveOneOut"),
        "function leaveOneOut(reward_n: number[], groupId_n: number[]): number[] {\n  return reward_n.map(() => 0);\n}",
      );
      await notebook.runAll(120_000);
      const [said, ...more] = await notebook.errors();
      assert.deepEqual(more, []);
      assert.match(said!, /NotYet: leaveOneOut: it /);
    } finally {
      await notebook.close();
    }
  });
});
