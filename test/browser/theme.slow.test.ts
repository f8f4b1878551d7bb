/// <reference lib="dom" />
import assert from "node:assert/strict";
import path from "node:path";
import type { Locator } from "playwright-core";
import { contrast } from "../support/color.js";
import { root } from "../support/paths.js";
import { until } from "../support/process.js";
import { useLab } from "../support/sharedLab.js";
import { LabPage } from "./labPage.js";

const cells = [
  `import { drawTrajectory, estimateChart, lineChart, liveCurve, make, recipe, scriptedBatch, train, trainSeeds } from "turnwise"
import { drawLoop } from "turnwise/plot"
import { streamChart } from "turnwise-kernel"
const line = lineChart({ squares: [1, 2, 3].map((x) => ({ x, y: x * x })) }, { title: "Squares", xTitle: "x", yTitle: "y" })`,
  `line`,
  `const curve = liveCurve({ metric: "reward/mean" })
curve.add({ update: 1, metrics: { "reward/mean": 0.5 } })
curve.add({ update: 2, metrics: { "reward/mean": 0.7 } })
curve`,
  `const flow = streamChart({ title: "stream" })
for (let i = 0; i < 20; i++) flow.push({ grpo: i * i })
flow`,
  `estimateChart([{ label: "grpo", mean: 0.5, low: 0.3, high: 0.7, runs: [0, 0, 1, 1] }], { title: "Ends", xTitle: "success" })`,
  `drawTrajectory(scriptedBatch(make("LookUp-v0"), [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]), { recipe: "grpo" })`,
  `drawLoop("rule")`,
  `const setting = { env: "LookUp-v0", recipe: "grpo", updates: 4 } as const
const run = train({ ...setting, seed: 1 })
for await (const record of run) void record`,
  `run`,
  `await trainSeeds(setting, 3)`,
  `recipe("grpo")`,
  `help()`,
];

/** The color as #rrggbb. */
const hex = (rgb: string): string =>
  `#${(rgb.match(/[\d.]+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, "0"))
    .join("")}`;

interface Colors {
  readonly inks: string[];
  readonly grounds: string[];
  readonly page: string;
}

/** The colors of a chart's texts, of everything that fills its ground, and of the page behind it. */
const colorsOf = (svg: Locator): Promise<Colors> =>
  svg.evaluate((top) => {
    const inks = [...top.querySelectorAll("text")].map((text) => getComputedStyle(text).fill);
    const own = [top, top.parentElement!].map((part) => getComputedStyle(part).backgroundColor);
    const sheet = top.querySelector("path.background, rect[width='100%']");
    return {
      inks: [...new Set(inks)],
      grounds: [...own, sheet ? getComputedStyle(sheet).fill : "none"],
      page: getComputedStyle(document.querySelector(".jp-Notebook")!).backgroundColor,
    };
  });

describe("a chart in JupyterLab whose theme changes after it was drawn", function () {
  this.timeout(240_000);

  it("wears the new theme at once: no box of the old one, and letters that can be read", async function () {
    const laboratory = await useLab(this);
    const lab = await LabPage.open(laboratory, laboratory.write("theme.ipynb", cells));
    // Drawn in the dark: JupyterLab's dark theme colors titles by name, which must not stay when it turns light.
    await lab.theme("JupyterLab Dark");
    await lab.runAll(120_000);
    // Four dots above and below one another at two places: JupyterLab's Vega-Lite is older than ours.
    const dots = lab
      .codeCell(/^estimateChart/)
      .locator(".vega-embed .mark-symbol.role-mark.layer_0_marks path");
    await dots.first().waitFor();
    const places = await dots.evaluateAll((paths) => paths.map((one) => one.getAttribute("transform")));
    assert.equal(new Set(places).size, 4, places.join(" "));
    assert.deepEqual(await lab.errors(), []);
    const stream = lab.codeCell("const flow").locator("canvas");
    /** The gray of what is drawn most: the letters and the frame. */
    const ink = (): Promise<string> =>
      stream.evaluate((node) => {
        const canvas = node as HTMLCanvasElement;
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        const counts = new Map<string, number>();
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3]! < 200 || data[i] !== data[i + 2]) continue;
          const color = `rgb(${String(data[i])},${String(data[i + 1])},${String(data[i + 2])})`;
          counts.set(color, (counts.get(color) ?? 0) + 1);
        }
        return [...counts].sort(([, a], [, b]) => b - a)[0]![0];
      });
    for (const theme of [
      "JupyterLab Dark",
      "JupyterLab Light",
      "JupyterLab Dark",
      "JupyterLab Light",
    ] as const) {
      await lab.theme(theme);
      const charts = ["const curve", /^line$/, /^estimateChart/].map(
        (text) => [text, ".vega-embed svg.marks"] as const,
      );
      const drawings = [/^drawTrajectory/, /^drawLoop/, /^run$/, /^await trainSeeds/].map(
        (text) => [text, "figure svg"] as const,
      );
      for (const [text, place] of [...charts, ...drawings]) {
        const cell = lab.codeCell(text);
        const svg = cell.locator(place);
        await svg.waitFor();
        const worn = ({ inks, page }: Colors): boolean =>
          inks.length > 0 && inks.every((ink) => contrast(hex(ink), hex(page)) >= 4.5);
        let seen = await colorsOf(svg);
        // The page is told its theme a moment before the style sheets have changed.
        await until("the colors of the theme", async () => worn((seen = await colorsOf(svg)))).catch(
          () => undefined,
        );
        const { inks, grounds, page } = seen;
        assert.ok(worn(seen), `${String(text)}, ${theme}: ${inks.join(" and ")} on ${page}`);
        for (const ground of grounds) assert.match(ground, /^(none|transparent|rgba\(0, 0, 0, 0\))$/, theme);
      }
      await lab.codeCell(/^drawTrajectory/).scrollIntoViewIfNeeded();
      await lab.screenshot(path.join(root, "build", "screenshots", `theme-${theme.slice(11)}.png`));
      const page = await stream.evaluate(
        () => getComputedStyle(document.querySelector(".jp-Notebook")!).backgroundColor,
      );
      const drawn = await ink();
      assert.ok(contrast(hex(drawn), hex(page)) >= 4.5, `${theme}: the stream's ${drawn} on ${page}`);
    }
    const shown = (text: RegExp, what: string): Locator => lab.codeCell(text).locator(what);
    assert.match(
      await shown(/^recipe/, "figure").innerText(),
      /^GRPO \(grpo\)[^]*the nearest rule, offPolicyMask, has/,
    );
    // What is typed into the index hides the lines without it, and opens the groups that have some.
    await shown(/^help/, "input[type=search]").fill("policy/entropy");
    await shown(/^help/, "tr:visible").first().waitFor();
    const found = await shown(/^help/, "tr:visible code").allInnerTexts();
    assert.deepEqual(found, ["policy/entropy", "policy/entropyCoef"]);
    await lab.close();
  });
});
