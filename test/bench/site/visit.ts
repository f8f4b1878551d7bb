/// <reference lib="dom.iterable" />
/// <reference lib="dom" />
import type { BrowserContext, Page } from "playwright-core";
import { patient } from "../../support/patient.js";

/** When a visit came to what a reader waits for, in seconds from its start, and what traveled until then. */
export interface Visit {
  /** The lesson's first code cell stands in the page. */
  readonly shown: number;
  /** The first code cell has run. */
  readonly result: number;
  readonly bytes: number;
  /** What the page asked for until then, whether or not it had it already. */
  readonly asked: readonly string[];
}

/** The lesson's first code cell, with the number of its stored run; the empty cell of a notebook that is still to come has none. */
const firstCell = '.jp-Notebook .jp-CodeCell:has(.jp-InputPrompt:text("[1]:")) .cm-content';

/** Opens a lesson at its own address, runs its first code cell as soon as it can be run, and measures. */
export async function visit(
  context: BrowserContext,
  address: string,
  sentUntil: (time: number) => number,
  limitMs: number,
): Promise<Visit> {
  const page = await context.newPage();
  page.setDefaultTimeout(patient(limitMs));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const begun = Date.now();
  await page.goto(address, { waitUntil: "commit" });
  await page.locator(firstCell).first().waitFor();
  const shown = Date.now() - begun;
  const at = await run(page);
  const bytes = sentUntil(at) - sentUntil(begun);
  await page.close();
  return { shown: shown / 1000, result: (at - begun) / 1000, bytes, asked };
}

/** Runs the first code cell; resolves to the time at which the page has shown that it has ended. */
async function run(page: Page): Promise<number> {
  await page.locator(firstCell).first().click();
  const ended = page.evaluate(() => {
    const prompt = (): string =>
      document.querySelector(".jp-Notebook .jp-CodeCell .jp-InputPrompt")?.textContent ?? "";
    return new Promise<number>((resolve) => {
      let hasBegun = false;
      const look = new MutationObserver(() => {
        hasBegun ||= prompt().includes("*");
        if (!hasBegun || !/\[\d+\]/.test(prompt())) return;
        look.disconnect();
        // Shown is what has been painted.
        requestAnimationFrame(() => resolve(Date.now()));
      });
      look.observe(document, { subtree: true, childList: true, characterData: true });
    });
  });
  await page.keyboard.press("Control+Enter");
  return ended;
}
