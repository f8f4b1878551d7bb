import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { secondTry, useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

/** Every figure of the course in both themes, to be looked at. */
const seen = path.join(root, "build", "screenshots", "course");
const themes = ["JupyterLab Light", "JupyterLab Dark"] as const;
const figure = ".vega-embed, figure svg, .jp-RenderedHTML table, .jp-RenderedSVG, .jp-RenderedImage";

const lessons = fs
  .readdirSync(path.join(root, "notebooks"))
  .filter((name) => name.endsWith(".ipynb"))
  .sort();

/** Those that run here, too: the first, a collapse, a search, files of one's own. `notebooks/committed` and `site/lessons` run all. */
const running = lessons.filter((name) => /^(00|04|09|11)-/.test(name));

/** How many outputs of a stored notebook are figures or tables; a picture in a widget's place hides while the widget lives. */
function storedFigures(name: string): number {
  const { cells } = readNotebook(path.join(root, "notebooks", name));
  const bundles = cells
    .flatMap(({ outputs = [] }) => outputs)
    .map((output) => ("data" in output ? output.data : {}))
    .filter((bundle) => !String(bundle["text/html"] ?? "").includes("turnwise-stored"));
  return bundles.filter(
    (bundle) => "image/svg+xml" in bundle || /<(?:table|svg)\b/.test(String(bundle["text/html"] ?? "")),
  ).length;
}

/** What the stored charts of a notebook say they show, without what a run says of itself. */
function storedTitles(name: string): string[] {
  const { cells } = readNotebook(path.join(root, "notebooks", name));
  return cells
    .flatMap(({ outputs = [] }) => outputs)
    .map((output) => ("data" in output ? output.data["application/vnd.vegalite.v5+json"] : undefined))
    .map((spec) => (spec as { description?: string } | undefined)?.description ?? "")
    .map((description) => description.split(/[:.,]/, 1)[0]!)
    .filter((title) => title !== "");
}

/** Saves what each cell has drawn as a picture, and returns how many there were. */
async function photograph(notebook: LabPage, folder: string, theme: string, least: number): Promise<number> {
  // A widget has an output area of its own within that of its cell.
  const outermost = ".jp-OutputArea-child:not(.jp-OutputArea-child .jp-OutputArea-child)";
  const outputs = notebook.cells.locator(outermost, { has: notebook.page.locator(figure) });
  await outputs.nth(least - 1).waitFor();
  const count = await outputs.count();
  for (let i = 0; i < count; i++) {
    const output: Locator = outputs.nth(i);
    await output.scrollIntoViewIfNeeded();
    const file = `${String(i + 1).padStart(2, "0")}-${theme.endsWith("Dark") ? "dark" : "light"}.png`;
    await output.screenshot({ path: path.join(folder, file) });
  }
  return count;
}

describe("the course in JupyterLab", function () {
  this.timeout(420_000);
  this.slow(120_000);
  secondTry(this);

  /** Opens a lesson, does something with it, and looks at what it shows then. */
  async function shows(
    context: Mocha.Context,
    name: string,
    run = (_: LabPage): Promise<void> => Promise.resolve(),
  ): Promise<void> {
    const laboratory = await useLab(context);
    const notebook = await LabPage.open(laboratory, name);
    const folder = path.join(seen, path.basename(name, ".ipynb"));
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    try {
      await run(notebook);
      assert.deepEqual(await notebook.errors(), []);
      const prompts = await notebook.page.locator(".jp-CodeCell .jp-InputPrompt").allInnerTexts();
      prompts.forEach((prompt, i) => assert.equal(prompt.trim(), `[${String(i + 1)}]:`));
      const charts = notebook.page.locator(".vega-embed svg, .vega-embed canvas");
      await charts.first().waitFor();
      await notebook.charts(storedTitles(name));
      const said = await notebook.page
        .locator(".vega-embed [aria-label]")
        .evaluateAll((drawn) => drawn.map((chart) => chart.getAttribute("aria-label") ?? ""));
      for (const title of storedTitles(name))
        assert.ok(
          said.some((text) => text.startsWith(title)),
          `${title} in: ${said.join(" | ")}`,
        );
      await notebook.codeCell("ledger(").first().scrollIntoViewIfNeeded();
      const expected = storedFigures(name);
      const counts = [];
      for (const theme of themes) {
        await notebook.theme(theme);
        counts.push(await photograph(notebook, folder, theme, expected));
      }
      assert.equal(counts[0], counts[1], "figures and tables in light and dark");
    } finally {
      await notebook.theme(themes[0]).catch(() => undefined);
      await notebook.close();
    }
  }

  for (const name of lessons)
    if (running.includes(name))
      it(`${name}: Restart Kernel and Run All Cells ends clean, its figures stand in both themes`, async function () {
        await shows(this, name, (notebook) => notebook.restartAndRunAll(400_000));
      });
    else
      it(`${name}: opens with its stored figures in both themes`, async function () {
        await shows(this, name);
      });
});
