import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { root } from "../support/paths.js";
import { expectLedger } from "../site/siteLab.js";
import { shared } from "../support/sharedLab.js";
import { expectFigures } from "./courseFigures.js";
import { LabPage } from "./labPage.js";

/** Where the test writes what it saw; UPDATE_SCREENSHOTS=1 also renews the picture in the README. */
const seen = path.join(root, "build", "screenshots");
const committed = path.join(root, "test", "browser", "screenshots");

const name = "00-start-here.ipynb";

describe("00-start-here in JupyterLab", function () {
  this.timeout(420_000);
  let notebook: LabPage;
  shared(
    async (laboratory) => {
      notebook = await LabPage.open(laboratory, name);
    },
    () => (notebook as LabPage | undefined)?.close(),
  );

  it("shows the stored drawings when it is opened, before a cell has run", async () => {
    const drawings = notebook.page.locator(".jp-OutputArea-output.jp-RenderedHTMLCommon svg");
    // The page is there a moment before all of them are.
    await drawings.nth(3).waitFor({ state: "attached" });
  });

  it("Restart Kernel and Run All Cells ends clean, its figures stand in both themes, its ledger is the stored one", async () => {
    await notebook.restartAndRunAll(400_000);
    await expectFigures(notebook, name);
    await expectLedger(notebook, "00-start-here");
  });

  it("has trained an agent that ends above 95% of the exact optimum", async () => {
    const share = await notebook.runNew('`share ${records.at(-1).metrics["return/exact"] / optimum}`');
    await notebook.idle(60_000);
    const text = await notebook.output(share);
    assert.ok(Number(/share ([\d.]+)/.exec(text)?.[1]) > 0.95, text);
  });

  it("draws the learning curve with JupyterLab's own Vega-Lite", async () => {
    const cell = notebook.codeCell("liveCurve({");
    await cell.scrollIntoViewIfNeeded();
    const drawn = cell.locator(".vega-embed svg, .vega-embed canvas").first();
    await drawn.waitFor();
    const box = await drawn.boundingBox();
    assert.ok(box && box.width > 400 && box.height > 200, JSON.stringify(box));
    await notebook.screenshot(path.join(seen, "jupyterlab.png"));
    if (process.env.UPDATE_SCREENSHOTS) {
      fs.copyFileSync(path.join(seen, "jupyterlab.png"), path.join(committed, "jupyterlab.png"));
    }
  });

  it("takes a changed hyperparameter into a rerun of one cell", async () => {
    const parameters = notebook.codeCell("let updates");
    const source = await notebook.source(parameters);
    await notebook.edit(parameters, source.replace(/let updates = \d+/, "let updates = 7"));
    await notebook.run(parameters);
    const train = notebook.codeCell("liveCurve({");
    await notebook.run(train);
    await notebook.idle(60_000);
    const count = await notebook.runNew("`${records.length} updates`");
    await notebook.idle(60_000);
    await notebook.says(count, /7 updates/);
  });

  it("interrupts a running training cell and goes on with its variables intact", async () => {
    const train = await notebook.runNew(
      'let done = 0;\nfor await (const r of train({ ...task, updates: 1e9, recipe: "grpo", seed: 3 })) {\n' +
        '  done = r.update;\n  if (done === 20) console.log("under way");\n}',
    );
    await train.locator(".jp-OutputArea-output", { hasText: "under way" }).waitFor();
    await notebook.running(train);
    await notebook.interrupt();
    await notebook.idle(60_000);
    await notebook.says(train, /KernelInterrupt/);
    await notebook.screenshot(path.join(seen, "interrupted.png"));
    const after = await notebook.runNew("`stopped: ${done > 0}, rule kept: ${run.recipe.name}`");
    await notebook.idle(60_000);
    await notebook.says(after, /stopped: true, rule kept: grpo/);
    const again = await notebook.runNew(
      'for await (const r of train({ ...task, updates: 2, recipe: "grpo", seed: 3 })) console.log("again", r.update);',
    );
    await notebook.idle(60_000);
    await notebook.says(again, /again 2/);
  });
});
