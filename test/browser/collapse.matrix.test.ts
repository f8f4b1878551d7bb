import assert from "node:assert/strict";
import path from "node:path";
import { root } from "../support/paths.js";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const seen = path.join(root, "build", "screenshots");

describe("the appendix pages of lessons 04 and 05 in JupyterLab", function () {
  this.timeout(600_000);
  let lab: LabPage | undefined;

  async function open(context: Mocha.Context, name: string): Promise<LabPage> {
    const laboratory = await useLab(context);
    return (lab = await LabPage.open(laboratory, `${name}.ipynb`));
  }

  afterEach(async () => {
    await lab?.close();
    lab = undefined;
  });

  async function setParameter(lab: LabPage, from: RegExp, to: string): Promise<void> {
    const cell = lab.codeCell("let full");
    await lab.edit(cell, (await lab.source(cell)).replace(from, to));
  }

  /** The descriptions of all figures, once each is drawn and wide enough to read. */
  async function figures(lab: LabPage): Promise<string[]> {
    const drawn = lab.page.locator(".jp-OutputArea-output .vega-embed");
    const said: string[] = [];
    for (let i = 0; i < (await drawn.count()); i++) {
      const figure = drawn.nth(i);
      await figure.scrollIntoViewIfNeeded();
      const box = await figure.locator("svg, canvas").first().boundingBox();
      assert.ok(box && box.width > 300 && box.height > 80, JSON.stringify(box));
      said.push((await figure.locator("[aria-label]").first().getAttribute("aria-label")) ?? "");
    }
    return said;
  }

  it("the appendix of 04 restarts, runs all, and draws the anatomies, the matrix, the phase diagram and the order of events", async function () {
    const lab = await open(this, "appendix/04-echo-trap");
    await setParameter(lab, /let liveSeeds = \d+/, "let liveSeeds = 1");
    await lab.restartAndRunAll(560_000);
    assert.deepEqual(await lab.errors(), []);
    const titles = [
      "Success at the end: from",
      "Trap A, seed",
      "Trap A, median update: from",
      "Trap B, seed",
      "Trap C, seed",
      "20 levers work somewhere",
      "Runs rise and collapse in",
    ];
    await lab.charts(titles);
    const said = await figures(lab);
    for (const title of titles) {
      assert.ok(
        said.some((text) => text.startsWith(title)),
        `${title} in: ${said.join(" | ")}`,
      );
    }
    await lab.says(lab.codeCell("...echoTrapClaims("), /Claims ledger/);
    await lab.screenshot(path.join(seen, "notebook-04-appendix-light.png"));
  });

  it("the appendix of 05 restarts, runs all, and draws every figure", async function () {
    const lab = await open(this, "appendix/05-off-policy-stability");
    await lab.restartAndRunAll(560_000);
    assert.deepEqual(await lab.errors(), []);
    const drawn = ".jp-OutputArea-output figure, .jp-OutputArea-output .vega-embed";
    await lab.page.locator(drawn).nth(5).waitFor({ state: "attached" });
    await figures(lab);
    await lab.screenshot(path.join(seen, "notebook-05-appendix-light.png"));
  });
});
