/// <reference lib="dom" />
import assert from "node:assert/strict";
import path from "node:path";
import type { Browser } from "playwright-core";
import { serveSite, type BuiltSite } from "../support/builtSite.js";
import { launchFirefox } from "../support/firefoxBrowser.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { inNotebookApp, Visit } from "./visit.js";

describe("the site in Firefox", function () {
  this.timeout(patient(150_000));
  let site: BuiltSite;
  let browser: Browser;
  let firefox: Visit;

  before(async function () {
    site = await serveSite(this);
    browser = await launchFirefox(this);
    firefox = await Visit.open(browser, site);
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });

  it("lists the lessons, isolated", async () => {
    await firefox.goto("");
    await firefox.page.locator("#isolated", { hasText: "This page is isolated" }).waitFor();
    assert.ok((await firefox.page.locator("ol a").count()) > 20);
  });

  it("runs the first cells of a lesson", async () => {
    await firefox.goto(inNotebookApp("notebooks/00-start-here.ipynb"));
    await firefox.codeCell(0).locator(".cm-content").click();
    // Two cells of code, and the text between them.
    for (let ran = 0; ran < 3; ran++) await firefox.page.keyboard.press("Shift+Enter");
    // Both have run if the second has: its numbers are there.
    await firefox.says(await firefox.runNew("`${updates} updates, ${seeds} seeds`"), "100 updates, 10 seeds");
    await firefox.codeCell(0).scrollIntoViewIfNeeded();
    await firefox.page.screenshot({ path: path.join(root, "build", "screenshots", "site", "firefox.png") });
    assert.equal(await firefox.page.locator('[data-mime-type*="jupyter.error"]').count(), 0);
  });

  it("keeps variables when a loop or an await is interrupted", async () => {
    for (const source of ["let turns = 0; for (;;) turns++;", "await new Promise(() => {});"]) {
      const cell = await firefox.runNew(`console.log("begun"); ${source}`);
      // A cell that is interrupted before its code runs declares nothing.
      await firefox.says(cell, "begun");
      await firefox.button("interrupt").click();
      await firefox.says(cell, "KernelInterrupt");
    }
    await firefox.says(await firefox.runNew("`turns is a ${typeof turns}`"), "turns is a number");
  });

  it("reports a type error before the cell runs", async () => {
    await firefox.notice("Types are being loaded").waitFor({ state: "detached" });
    const cell = await firefox.runNew("const wrong: number = 'text';\n'it ran'");
    await firefox.says(cell, "Type 'string' is not assignable to type 'number'");
    assert.doesNotMatch(await cell.locator(".jp-OutputArea-output").first().innerText(), /it ran/);
  });

  it("moves a slider while a cell awaits it", async () => {
    const cell = await firefox.runNew(
      'import { widgets } from "turnwise-kernel";\n' +
        "const rate = new widgets.IntSlider({ value: 1, max: 10 }); display(rate);\n" +
        "while (rate.value < 3) await new Promise((done) => setTimeout(done, 20));\n`moved to ${rate.value}`",
    );
    await cell.locator(".noUi-handle").focus();
    for (let step = 0; step < 2; step++) await firefox.page.keyboard.press("ArrowRight");
    await firefox.says(cell, "moved to 3");
  });

  it("waits for the answer to prompt()", async () => {
    const cell = await firefox.runNew('`hello ${prompt("Who?")}`');
    const field = cell.locator("input.jp-Stdin-input");
    await field.fill("Ada");
    await field.press("Enter");
    await firefox.says(cell, "hello Ada");
  });

  it("logs no error all the while", () => {
    assert.deepEqual(firefox.complaints, []);
  });
});
