import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { LabPage } from "../browser/labPage.js";
import { storedLedger } from "../notebooks/storedLedger.js";
import type { BuiltSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { showAnswers } from "../support/predictions.js";

/** A page that waits longer than Playwright does by itself: a busy machine may need a minute for what takes it a second. */
export async function patientPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(patient(60_000));
  await showAnswers(page);
  return page;
}

/** Opens a notebook of the site in Lab; all of its cells are in the page, so that what is added comes behind them. */
export async function siteLab(context: BrowserContext, site: BuiltSite, notebook: string): Promise<LabPage> {
  const lab = await LabPage.open(
    {
      newPage: () => patientPage(context),
      address: (name) => `${site.address}lab/index.html?path=${name}`,
      endKernel: () => Promise.resolve(),
    },
    notebook,
  );
  await allCells(lab, notebook);
  return lab;
}

/** Waits until a notebook of the site is in the page whole: what is written before the last cell is there comes between them. */
export async function allCells(lab: LabPage, notebook: string): Promise<void> {
  const { cells } = JSON.parse(fs.readFileSync(path.join(root, notebook), "utf8")) as { cells: unknown[] };
  await lab.cells.nth(cells.length - 1).waitFor({ timeout: patient(30_000) });
}

/** Runs a cell until it reports its type error: types are loaded behind the first result, so the first cells run unchecked. */
export async function untilChecked(lab: LabPage, cell: Locator, error: string): Promise<void> {
  const told = cell.locator(".jp-OutputArea-output", { hasText: error });
  const deadline = Date.now() + patient(45_000);
  await lab.idle(30_000);
  while ((await told.count()) === 0 && Date.now() < deadline) {
    await cell.locator(".cm-content").click();
    await lab.page.keyboard.press("Control+Enter");
    await lab.page.waitForTimeout(500);
    await lab.idle(30_000);
  }
  assert.equal(await told.count(), 1, await lab.output(cell));
}

/** The last ledger in the page of a lesson has the claims and the figures that Node has stored in it. */
export async function expectLedger(lab: LabPage, lesson: string): Promise<void> {
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
}
