import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

/** The description of a drawn chart, as a screen reader reads it. */
export const drawn = (cell: Locator, says: RegExp): Locator =>
  cell.locator(".vega-embed").getByLabel(says).first();

/** Opens a lesson and runs those of its cells that have one of the texts: the sliders, and what they need. */
export async function openSliders(
  context: Mocha.Context,
  name: string,
  needed: readonly string[],
): Promise<LabPage> {
  const lab = await LabPage.open(await useLab(context), name);
  await lab.clearAll();
  for (const text of needed) await lab.run(lab.codeCell(text));
  await lab.idle(60_000);
  assert.deepEqual(await lab.errors(), []);
  return lab;
}

/** Moves a slider by keys until the chart of its cell says something. */
export async function drag(
  lab: LabPage,
  cell: Locator,
  slider: number,
  key: string,
  says: RegExp,
): Promise<void> {
  await cell.scrollIntoViewIfNeeded();
  await cell.locator(".noUi-handle").nth(slider).focus();
  await lab.page.keyboard.press(key);
  await drawn(cell, says).waitFor();
}
