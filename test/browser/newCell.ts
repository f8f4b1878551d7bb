/// <reference lib="dom.iterable" />
/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";

let written = 0;

/**
 * Adds a code cell behind the last one and writes into it; the cursor stays behind the text. It is found by a mark
 * of its own, since a notebook that is still being drawn gets cells before and behind it.
 */
export async function newCell(page: Page, source: string): Promise<Locator> {
  const notebook = page.locator(".jp-Notebook:not(.lm-mod-hidden)");
  const mark = `${++written}`;
  await notebook.locator(".jp-Cell").evaluateAll((cells) => {
    for (const cell of cells as HTMLElement[]) cell.dataset.mark ??= "old";
  });
  // By an event, not by the mouse: a figure that is drawn above moves the footer away between press and release.
  await notebook.locator(".jp-Notebook-footer").dispatchEvent("click");
  await notebook
    .locator(".jp-Cell.jp-mod-active:not([data-mark])")
    .evaluate((cell, own) => ((cell as HTMLElement).dataset.mark = own), mark);
  const cell = notebook.locator(`.jp-Cell[data-mark="${mark}"]`);
  const editor = cell.locator(".cm-content");
  // What a notebook does while it is still being drawn can take the focus away again: the text then goes nowhere.
  do {
    await editor.click();
    await page.keyboard.insertText(source);
  } while ((await cell.locator(".cm-line").allInnerTexts()).join("").trim() === "" && source.trim() !== "");
  return cell;
}
