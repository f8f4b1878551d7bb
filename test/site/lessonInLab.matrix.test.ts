import assert from "node:assert/strict";
import type { LabPage } from "../browser/labPage.js";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { until } from "../support/process.js";
import { expectLedger, siteLab } from "./siteLab.js";

const lesson = "02-impossibility-theorem";

// It trains until it hears of the slider, so the page must have told it so in the middle of the loop.
const training = `import { train } from "turnwise";
let trained = 0;
for await (const { update } of train({ env: "LookUp-v0", recipe: "grpo", updates: 1_000_000 })) {
  trained = update;
  if (toolDials.pays.value !== 0.4) break;
}
\`trained: \${trained > 0}; pays \${toolDials.pays.value}\``;

describe("a lesson in the site's JupyterLab", function () {
  this.timeout(patient(180_000));
  const shared = sharedSite();
  let lab: LabPage;

  before(async () => {
    const context = await shared().browser.newContext();
    lab = await siteLab(context, shared().site, `notebooks/${lesson}.ipynb`);
  });
  after(() => (lab as LabPage | undefined)?.page.context().close());

  it("runs by Run All without an error, and its page shows the ledger of Node", async () => {
    await lab.runAll(120_000);
    assert.deepEqual(await lab.errors(), []);
    await expectLedger(lab, lesson);
  });

  it("drags a slider of the lesson while a cell trains: the cell hears of it, and the lesson's chart follows", async () => {
    const cell = await lab.runNew(training);
    await lab.running(cell);
    const field = lab.codeCell("widgets.redraw(toolDials, drawToolField)");
    const drawn = field.locator('.vega-embed [aria-label*="The tool pays in"]').first();
    // Charts are drawn as they come near, and those above push the cell out of sight again.
    await until("the chart of the cell", async () => {
      await field.scrollIntoViewIfNeeded();
      return (await drawn.count()) > 0;
    });
    assert.match((await drawn.getAttribute("aria-label"))!, /pays in 40%/);
    await lab.drag(field.locator(".noUi-handle").nth(1), 0.4);
    await lab.says(cell, /trained: true; pays (0\.[5-9]|1)\b/);
    await lab.idle(60_000);
    const readout = field.locator(".widget-inline-hbox", { hasText: "pays" }).locator(".widget-readout");
    const percent = Math.round(100 * Number(await readout.innerText()));
    assert.ok(percent > 50, String(percent));
    const followed = `[aria-label*="The tool pays in ${String(percent)}%"]`;
    await field.locator(`.vega-embed ${followed}`).first().waitFor({ state: "attached" });
    assert.deepEqual(await lab.errors(), []);
  });
});
