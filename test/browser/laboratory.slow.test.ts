import assert from "node:assert/strict";
import path from "node:path";
import type { Locator } from "playwright-core";
import { root } from "../support/paths.js";
import { useLab, type Laboratory } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const seen = path.join(root, "build", "screenshots");

/** The description of a drawn chart, as a screen reader reads it. */
const drawn = (cell: Locator, says: RegExp): Locator => cell.locator(".vega-embed").getByLabel(says).first();

describe("02-impossibility-theorem and 03-update-order-ablation in JupyterLab", function () {
  this.timeout(600_000);
  let laboratory: Laboratory;
  let notebook: LabPage | undefined;
  before(async function () {
    laboratory = await useLab(this);
  });
  afterEach(async () => {
    await notebook?.close();
    notebook = undefined;
  });

  /** Opens a lesson and runs those of its cells that have one of the texts: the sliders, and what they need. */
  async function open(name: string, needed: readonly string[]): Promise<LabPage> {
    const lab = (notebook = await LabPage.open(laboratory, name));
    await lab.clearAll();
    for (const text of needed) await lab.run(lab.codeCell(text));
    await lab.idle(60_000);
    assert.deepEqual(await lab.errors(), []);
    return lab;
  }

  /** Moves a slider by keys until the chart of its cell says something. */
  async function drag(lab: LabPage, cell: Locator, slider: number, key: string, says: RegExp): Promise<void> {
    await cell.scrollIntoViewIfNeeded();
    await cell.locator(".noUi-handle").nth(slider).focus();
    await lab.page.keyboard.press(key);
    await drawn(cell, says).waitFor();
  }

  it("02: dragging the group size, the prize and the division changes what is pushed and where the tool ends", async () => {
    const lab = await open("02-impossibility-theorem.ipynb", [
      "const dials = {",
      "widgets.redraw(dials, drawPush)",
      "const toolDials = {",
      "widgets.redraw(toolDials, drawToolField)",
    ]);

    const push = lab.codeCell("widgets.redraw(dials, drawPush)");
    await drawn(push, /The machine is worth 0\.25, the salary 0\.15/).waitFor();
    await drag(lab, push, 0, "End", /grpo, group of 64/);
    // A machine that pays .5 is worth less than the salary, and the same push is right.
    await drag(lab, push, 1, "Home", /The machine is worth 0\.13, the salary 0\.15/);
    await push.locator("input[type=checkbox]").uncheck();
    await drawn(push, /drGrpo, group of 64/).waitFor();
    await lab.screenshot(path.join(seen, "notebook-02-light.png"));

    const field = lab.codeCell("widgets.redraw(toolDials, drawToolField)");
    await drawn(field, /a tool that is right in 40 %: 121 arrows/).waitFor();
    await drag(lab, field, 1, "End", /a tool that is right in 100 %: 121 arrows/);
    await field.locator("input[type=checkbox]").uncheck();
    await drawn(field, /: 121 arrows.* the return falls at 0 of them/).waitFor();
  });

  it("03: dragging the height of the ladder, the step and the start changes its chart", async () => {
    const lab = await open("03-update-order-ablation.ipynb", [
      "const dials = {",
      "widgets.redraw(dials, drawLadder)",
    ]);

    const ladder = lab.codeCell("widgets.redraw(dials, drawLadder)");
    await drawn(ladder, /A ladder of 4 rungs, gradient steps of 64/).waitFor();
    await drag(lab, ladder, 0, "Home", /A ladder of 2 rungs, gradient steps of 64/);
    await drag(lab, ladder, 1, "Home", /A ladder of 2 rungs, gradient steps of 1:/);
    // From a start that goes right in nine cases out of ten: (.9 x .9 + .05 x .55 + .9 x .05 x .55) = .862.
    await drag(lab, ladder, 2, "End", /last turn first goes from 0\.862 at 1/);
    await lab.screenshot(path.join(seen, "notebook-03-light.png"));
  });
});
