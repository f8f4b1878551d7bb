/// <reference lib="dom" />
// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { useBrowser } from "../support/sharedBrowser.js";

interface Stored {
  readonly place: string;
  readonly svg: string;
  readonly isVega: boolean;
}

/** The stored pictures of all lessons and appendix pages. */
function storedPictures(): Stored[] {
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
        const data: Readonly<Record<string, unknown>> = "data" in output ? output.data : {};
        const svg = [data["image/svg+xml"] ?? []].flat().join("");
        const isVega = "application/vnd.vegalite.v5+json" in data;
        return svg === "" ? [] : [{ place: `${path.relative(folder, file)}, cell ${String(cell + 1)}`, svg, isVega }];
      }),
    ),
  );
}

/** What the notebook's own pages say of an output, and the room that a phone leaves to it. */
const outputStyle = `
  body { margin: 0 20px; }
  .jp-OutputArea-output { width: 100%; overflow-x: auto; }
  .vega-embed { display: inline-block; }
`;

describe("the charts of the course on a phone", function () {
  this.timeout(patient(60_000));

  it("are no wider than the page, and their labels are at least 6.5 px high", async function () {
    const browser = await useBrowser(this);
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const page = await (await browser.newContext(phone)).newPage();
    const pictures = storedPictures();
    assert.ok(pictures.length > 150, `${String(pictures.length)} pictures`);
    const outputs = pictures.map(({ svg, isVega }) => {
      const box = isVega ? ['<div class="vega-embed">', "</div>"] : ['<figure style="margin:0">', "</figure>"];
      return `<div class="jp-OutputArea-output">${box.join(svg)}</div>`;
    });
    await page.setContent(
      `<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><style>${outputStyle}</style>${outputs.join("\n")}`,
    );
    // The rules are those of the extension, which adds them to the page when JupyterLab or Notebook starts it.
    for (const script of ["predictions.js", "fold.js"])
      await page.addScriptTag({ path: path.join(root, "kernel", "labextension", "static", script) });
    const seen = await page.evaluate(() => {
      for (const svg of document.querySelectorAll(".vega-embed > svg")) svg.classList.add("marks");
      const { _turnwiseFold } = window as unknown as { _turnwiseFold: { activate(app: object): void } };
      _turnwiseFold.activate({ docRegistry: { addWidgetExtension: () => undefined } });
      const heights = [...document.querySelectorAll(".jp-OutputArea-output")].map((output) => {
        const labels = [...output.querySelectorAll<SVGTextElement>("text")].filter((one) => one.textContent !== "");
        return Math.min(
          ...labels.map((label) => {
            const { a, b } = label.getScreenCTM()!;
            return parseFloat(getComputedStyle(label).fontSize) * Math.hypot(a, b);
          }),
        );
      });
      return { heights, width: document.documentElement.scrollWidth };
    });
    assert.ok(seen.width <= 390, `${String(seen.width)} pixels wide`);
    const small = seen.heights.flatMap((height, i) =>
      height < 6.5 ? [`${pictures[i]!.place}: ${height.toFixed(1)} px`] : [],
    );
    assert.deepEqual(small, []);
    await page.context().close();
  });
});
