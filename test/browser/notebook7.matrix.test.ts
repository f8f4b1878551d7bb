/// <reference lib="dom" />
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { writeViews } from "turnwise-site/builder/views.cjs";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { startTestLab, stopTestLab, type TestLab } from "../support/jupyter.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { pythonWith } from "../support/python.js";
import { useBrowser } from "../support/sharedBrowser.js";
import { notebookText } from "../support/sharedLab.js";
import { newCell } from "./newCell.js";
import { viewNames, type ViewName } from "./viewNames.js";

describe("the pages' views in cells of Notebook 7", function () {
  this.timeout(patient(240_000));
  let lab: TestLab | undefined;
  let page: Page;
  const wrong: string[] = [];
  const active = process.env.VIRTUAL_ENV;

  before(async function () {
    const browser = await useBrowser(this);
    const python = await pythonWith(this, "notebookTests");
    const out = path.join(temporaryFolder(), "site");
    await writeViews(root, out);
    const cellOf = (name: ViewName): string => {
      const esm = pathToFileURL(path.join(out, name, "widget.js")).href;
      return `const ${name} = widgets.anyWidget({ esm: new URL("${esm}"), state: { link: "" } });\n${name}`;
    };
    // The Jupyter of this environment: its server shows Notebook next to JupyterLab.
    process.env.VIRTUAL_ENV = path.dirname(path.dirname(python));
    lab = await startTestLab(this);
    const cells = ['import { widgets } from "turnwise-kernel"', ...viewNames.map(cellOf)];
    fs.writeFileSync(path.join(lab.notebooks, "views.ipynb"), notebookText(cells, "turnwise"));
    page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
    page.setDefaultTimeout(patient(60_000));
    const { origin, searchParams } = new URL(lab.url);
    await page.goto(`${origin}/notebooks/views.ipynb?token=${searchParams.get("token") ?? ""}`);
    await page.locator(".jp-Notebook .jp-CodeCell").nth(viewNames.length).waitFor();
    // Notebook has an error of its own while it starts.
    page.on("pageerror", ({ message }) => wrong.push(message));
    await page.locator(".lm-MenuBar-itemLabel", { hasText: /^Run$/ }).click();
    await page.locator(".lm-Menu-itemLabel", { hasText: /^Run All Cells$/ }).click();
  });
  after(async () => {
    await page?.context().close();
    await stopTestLab(lab);
    if (active === undefined) delete process.env.VIRTUAL_ENV;
    else process.env.VIRTUAL_ENV = active;
    removeTemporaryFolders();
  });

  const viewOf = (name: ViewName): Locator =>
    page
      .locator(".jp-CodeCell")
      .filter({ has: page.locator(".jp-InputArea-editor", { hasText: `const ${name}` }) })
      .locator(".view");
  const says = async (source: string, text: string): Promise<void> => {
    const cell = await newCell(page, source);
    await cell.locator(".cm-content").press("Control+Enter");
    await cell.locator(".jp-OutputArea-output", { hasText: text }).waitFor();
  };

  it("draws every view", async () => {
    assert.match(await page.title(), /^views/);
    for (const name of viewNames) {
      await viewOf(name).scrollIntoViewIfNeeded();
      await viewOf(name).getByRole("heading", { level: 1 }).waitFor();
    }
    assert.deepEqual(wrong, []);
  });

  it("the film changes its settings in the kernel, and the kernel those of the film", async () => {
    const film = viewOf("film");
    await film.getByLabel("clip the ratio").check();
    await film.getByRole("heading", { name: "With the clip at 0.2, it keeps the tool" }).waitFor();
    await says("film.link", "'#clip=on'");
    await says('film.link = "#clip=on&width=0.5"', "width=0.5");
    await film.getByRole("heading", { name: "With the clip at 0.5, it keeps the tool" }).waitFor();
  });

  it("the playground trains in a worker that its module carries", async () => {
    await viewOf("play")
      .getByRole("heading", { name: "GRPO reaches 1.00 with gate clip, .75 with gate unclipped" })
      .waitFor();
    assert.deepEqual(wrong, []);
  });
});
