/// <reference lib="dom" />
// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { ledgerMime } from "turnwise/plot";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

interface Stored {
  readonly place: string;
  /** What the notebook shows: a chart, a drawing or a ledger. */
  readonly html: string;
}

/** All stored outputs of lessons and appendix pages that `htmlOf` finds something in. */
function storedOutputs(htmlOf: (data: Readonly<Record<string, unknown>>) => string | undefined): Stored[] {
  const folder = path.join(root, "notebooks");
  const files = [folder, path.join(folder, "appendix")].flatMap((one) =>
    fs
      .readdirSync(one)
      .filter((name) => name.endsWith(".ipynb"))
      .map((name) => path.join(one, name)),
  );
  return files.flatMap((file) =>
    readNotebook(file).cells.flatMap(({ outputs = [] }, cell) =>
      outputs.flatMap((output) => {
        const html = "data" in output ? htmlOf(output.data) : undefined;
        return html === undefined
          ? []
          : [{ place: `${path.relative(folder, file)}, cell ${String(cell + 1)}`, html }];
      }),
    ),
  );
}

const text = (value: unknown): string => [value ?? []].flat().join("");

/** A picture as the notebook shows it: vega-embed's, or a figure. */
function pictureOf(data: Readonly<Record<string, unknown>>): string | undefined {
  const svg = text(data["image/svg+xml"]);
  if (svg === "") return undefined;
  return "application/vnd.vegalite.v5+json" in data
    ? `<div class="vega-embed">${svg.replace("<svg", '<svg class="marks"')}</div>`
    : `<figure style="margin:0">${svg}</figure>`;
}

/** What the notebook's own pages say of an output, and the room that a phone leaves to it. */
const outputStyle = `
  body { margin: 0 20px; }
  .jp-OutputArea-output { width: 100%; overflow-x: auto; }
  .vega-embed { display: inline-block; }
`;

describe("the course on a phone", function () {
  this.timeout(patient(60_000));

  /** A page with these outputs and the rules of the extension, which adds them when JupyterLab or Notebook starts it. */
  async function show(context: Mocha.Context, stored: readonly Stored[]): Promise<Page> {
    const browser = await useBrowser(context);
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const page = await (await browser.newContext(phone)).newPage();
    const outputs = stored.map(({ html }) => `<div class="jp-OutputArea-output">${html}</div>`);
    await page.setContent(
      `<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><style>${outputStyle}</style>${outputs.join("\n")}`,
    );
    for (const script of ["predictions.js", "fold.js"])
      await page.addScriptTag({ path: path.join(root, "kernel", "labextension", "static", script) });
    await page.evaluate(() => {
      const { _turnwiseFold } = window as unknown as { _turnwiseFold: { activate(app: object): void } };
      _turnwiseFold.activate({ docRegistry: { addWidgetExtension: () => undefined } });
    });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${String(width)} pixels wide`);
    return page;
  }

  it("shows no chart wider than the page, and every label at least 6.5 px high", async function () {
    const pictures = storedOutputs(pictureOf);
    assert.ok(pictures.length > 150, `${String(pictures.length)} pictures`);
    const page = await show(this, pictures);
    const heights = await page.evaluate(() =>
      [...document.querySelectorAll(".jp-OutputArea-output")].map((output) => {
        const labels = [...output.querySelectorAll<SVGTextElement>("text")];
        return Math.min(
          ...labels
            .filter(({ textContent }) => textContent !== "")
            .map((label) => {
              const { a, b } = label.getScreenCTM()!;
              return parseFloat(getComputedStyle(label).fontSize) * Math.hypot(a, b);
            }),
        );
      }),
    );
    const small = heights.flatMap((height, i) =>
      height < 6.5 ? [`${pictures[i]!.place}: ${height.toFixed(1)} px`] : [],
    );
    assert.deepEqual(small, []);
    await page.context().close();
  });

  it("shows a ledger without scrolling it sideways", async function () {
    const ledgers = storedOutputs((data) => (ledgerMime in data ? text(data["text/html"]) : undefined));
    assert.ok(ledgers.length > 20, `${String(ledgers.length)} ledgers`);
    const page = await show(this, ledgers);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll(".jp-OutputArea-output")].map(
        (one) => one.scrollWidth > one.clientWidth + 1,
      ),
    );
    assert.deepEqual(
      ledgers.filter((_, i) => wide[i]).map(({ place }) => place),
      [],
    );
    await page.context().close();
  });
});
