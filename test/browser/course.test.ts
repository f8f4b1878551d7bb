import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import { secondTry, useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const seen = path.join(root, "build", "screenshots");
const everything = process.env.TURNWISE_WHOLE_COURSE !== undefined;

/** Two notebooks, or with TURNWISE_WHOLE_COURSE=1 every one of the course, which takes some minutes more. */
const notebooks = fs
  .readdirSync(path.join(root, "notebooks"))
  .filter((name) => name.endsWith(".ipynb") && (everything || /^0[56]-/.test(name)))
  .sort();

describe("the course in JupyterLab", function () {
  this.timeout(420_000);
  this.slow(120_000);
  secondTry(this);

  for (const name of notebooks) {
    it(`${name}: Restart Kernel and Run All Cells ends clean, with its charts drawn`, async function () {
      const laboratory = await useLab(this);
      const notebook = await LabPage.open(laboratory, name);
      try {
        await notebook.restartAndRunAll(400_000);
        assert.deepEqual(await notebook.errors(), []);
        const prompts = await notebook.page.locator(".jp-CodeCell .jp-InputPrompt").allInnerTexts();
        prompts.forEach((prompt, i) => assert.equal(prompt.trim(), `[${String(i + 1)}]:`));
        const charts = notebook.page.locator(".vega-embed svg, .vega-embed canvas");
        assert.ok((await charts.count()) >= 1);
        const ledger = notebook.codeCell("ledger(").first();
        await ledger.scrollIntoViewIfNeeded();
        fs.mkdirSync(seen, { recursive: true });
        await notebook.screenshot(path.join(seen, `${path.basename(name, ".ipynb")}.png`));
      } finally {
        await notebook.close();
      }
    });
  }
});
