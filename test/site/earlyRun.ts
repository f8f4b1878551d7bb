/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { BuiltSite } from "../support/builtSite.js";
import { inNotebookApp, Visit } from "./visit.js";

const lesson = "notebooks/00-start-here.ipynb";

/** Presses the keys in the first code cell when it has come, and waits until it has run. */
async function runAtOnce({ page }: Visit, site: BuiltSite): Promise<void> {
  await page.addInitScript(() => {
    // Prompts show "[*]" only for a moment.
    const prompts: unknown[] = [];
    const look = (): unknown =>
      prompts.push(document.querySelector(".jp-Notebook .jp-CodeCell .jp-InputPrompt")?.textContent);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { prompts });
  });
  await page.goto(site.address + inNotebookApp(lesson), { waitUntil: "commit" });
  const stored = page.locator('.jp-CodeCell:has(.jp-InputPrompt:text("[1]:")) .cm-content').first();
  await stored.focus();
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => {
    const { prompts } = window as unknown as { prompts: unknown[] };
    return prompts.includes("[*]:") && prompts.at(-1) === "[1]:";
  });
}

/** A reader runs a cell as soon as it is there, on the first visit and on the next. */
export async function runsAtOnce(browser: Browser, site: BuiltSite): Promise<void> {
  const first = await Visit.open(browser, site);
  await runAtOnce(first, site);
  const next = await Visit.beside(first);
  await runAtOnce(next, site);
  assert.deepEqual([...first.complaints, ...next.complaints], []);
  await first.close();
}
