// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { takesPictures } from "../support/pictures.js";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

/** Every figure of the course in both themes, to be looked at. */
const seen = path.join(root, "build", "screenshots", "course");
const themes = ["JupyterLab Light", "JupyterLab Dark"] as const;
const figure = ".vega-embed, figure svg, .jp-RenderedHTML table, .jp-RenderedSVG, .jp-RenderedImage";

export const lessons = fs
  .readdirSync(path.join(root, "notebooks"))
  .filter((name) => name.endsWith(".ipynb"))
  .sort();

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

/** Goes through what each cell has drawn, takes pictures of it if asked to, and returns how many there were. */
async function lookThrough(notebook: LabPage, folder: string, theme: string, least: number): Promise<number> {
  // A widget has an output area of its own within that of its cell.
  const outermost = ".jp-OutputArea-child:not(.jp-OutputArea-child .jp-OutputArea-child)";
  const outputs = notebook.cells.locator(outermost, { has: notebook.page.locator(figure) });
  await outputs.nth(least - 1).waitFor();
  const count = await outputs.count();
  for (let i = 0; i < count; i++) {
    const output: Locator = outputs.nth(i);
    await output.scrollIntoViewIfNeeded();
    await output.waitFor();
    const file = `${String(i + 1).padStart(2, "0")}-${theme.endsWith("Dark") ? "dark" : "light"}.png`;
    if (takesPictures) await output.screenshot({ path: path.join(folder, file) });
  }
  return count;
}

/** What a lesson shows in JupyterLab: no error, its cells numbered from one, its charts by their titles, its figures in both themes. */
export async function expectFigures(notebook: LabPage, name: string): Promise<void> {
  const folder = path.join(seen, path.basename(name, ".ipynb"));
  if (takesPictures) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
  }
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
    counts.push(await lookThrough(notebook, folder, theme, expected));
  }
  assert.equal(counts[0], counts[1], "figures and tables in light and dark");
}

/** Opens a lesson, does something with it, and looks at what it shows then. */
export async function expectLesson(
  context: Mocha.Context,
  name: string,
  run = (_: LabPage): Promise<void> => Promise.resolve(),
): Promise<void> {
  const notebook = await LabPage.open(await useLab(context), name);
  try {
    await run(notebook);
    await expectFigures(notebook, name);
  } finally {
    // Settings are the server's: the theme would be that of every page.
    await notebook.theme(themes[0]).catch(() => undefined);
    await notebook.close();
  }
}
