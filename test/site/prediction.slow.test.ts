/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { sharedSite } from "../support/builtSite.js";
import { patient } from "../support/patient.js";
import { inNotebookApp } from "./visit.js";

const lesson = "notebooks/03-update-order-ablation.ipynb";

/** The cells up to the second section, each seen or not; the page draws those further down when a reader comes near. */
const expectSeen = (page: Page, cells: string): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLElement>(".jp-Notebook .jp-Cell")]
        .slice(0, wanted.length)
        .map((cell) => (cell.offsetParent === null ? "-" : "v"))
        .join("") === wanted,
    cells,
  );

describe("a prediction in the site, on a phone", function () {
  this.timeout(patient(120_000));
  const shared = sharedSite();
  let context: BrowserContext;
  before(async () => {
    context = await shared().browser.newContext({ viewport: { width: 390, height: 844 } });
  });
  after(() => (context as BrowserContext | undefined)?.close());

  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    page.setDefaultTimeout(patient(60_000));
    await page.goto(shared().site.address + inNotebookApp(lesson));
    await page.locator(".tw-Prediction").first().waitFor();
    return page;
  };

  it("keeps its answer folded until a choice is made, in a later visit too, and fits the screen", async () => {
    const page = await open();
    await expectSeen(page, "vvvv--v");
    const choice = page.locator(".tw-Choice").first();
    const box = (await choice.boundingBox())!;
    assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await choice.click();
    await expectSeen(page, "vvvvvvv");
    assert.equal(
      await page.locator(".tw-Prediction [role=status]").first().innerText(),
      "You chose (a), and that is right.",
    );
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.close();
    const later = await open();
    await expectSeen(later, "vvvvvvv");
    await later.close();
  });
});
