import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { LabPage } from "../browser/labPage.js";
import { storedLedger } from "../notebooks/storedLedger.js";
import { launchBrowser } from "../support/browser.js";
import { serveSite, type BuiltSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";

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
  let browser: Browser;
  let site: BuiltSite;
  let lab: LabPage;

  before(async function () {
    site = await serveSite(this);
    browser = await launchBrowser(this);
    const context = await browser.newContext();
    lab = await LabPage.open(
      {
        newPage: () => context.newPage(),
        address: (name) => `${site.address}lab/index.html?path=${name}`,
        endKernel: () => context.close(),
      },
      `notebooks/${lesson}.ipynb`,
    );
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  it("runs by Run All without an error, and its page shows the ledger of Node", async () => {
    await lab.runAll(120_000);
    assert.deepEqual(await lab.errors(), []);
    const table = lab.page.locator("table", {
      has: lab.page.locator("caption", { hasText: "Claims ledger" }),
    });
    const rows = table.last().locator("tbody tr");
    await rows.first().waitFor();
    const shown = await rows.evaluateAll((all) =>
      all.map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent)),
    );
    assert.deepEqual(
      shown,
      storedLedger(lesson).map(({ claim, source, measured }) => [claim, source, measured]),
    );
  });

  it("drags a slider of the lesson while a cell trains: the cell hears of it, and the lesson's chart follows", async () => {
    const cell = await lab.runNew(training);
    await lab.running(cell);
    const field = lab.codeCell("widgets.redraw(toolDials, drawToolField)");
    await field.scrollIntoViewIfNeeded();
    const drawn = field.locator('.vega-embed [aria-label*="a tool that is right in"]').first();
    assert.match((await drawn.getAttribute("aria-label"))!, /right in 40 %/);
    await lab.drag(field.locator(".noUi-handle").nth(1), 0.4);
    await lab.says(cell, /trained: true; pays (0\.[5-9]|1)\b/);
    await lab.idle(60_000);
    const readout = field.locator(".widget-inline-hbox", { hasText: "pays" }).locator(".widget-readout");
    const percent = Math.round(100 * Number(await readout.innerText()));
    assert.ok(percent > 50, String(percent));
    const followed = `[aria-label*="a tool that is right in ${String(percent)} %"]`;
    await field.locator(`.vega-embed ${followed}`).first().waitFor({ state: "attached" });
    assert.deepEqual(await lab.errors(), []);
  });
});
