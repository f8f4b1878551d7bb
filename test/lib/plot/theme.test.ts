import assert from "node:assert/strict";
import { Chart, displaySymbol, vegaLiteMime, type VegaLiteSpec } from "turnwise/plot";
import { lineChart, liveCurve } from "turnwise";

interface Embedded {
  readonly usermeta?: { readonly embedOptions: { readonly renderer: string; readonly config: object } };
}

const shown = (chart: { [displaySymbol](): object }): Embedded =>
  (chart[displaySymbol]() as Readonly<Record<string, Embedded>>)[vegaLiteMime]!;

const squares = [1, 2, 3].map((x) => ({ x, y: x * x }));
const chart = lineChart({ squares }, { title: "Squares", xTitle: "x", yTitle: "y" });
const changed = (change: object): Chart => new Chart({ ...chart.spec, ...change } as VegaLiteSpec, "changed");

describe("a chart that a notebook shows", () => {
  it("tells JupyterLab to draw it in the color of the page's text, on no ground of its own", () => {
    for (const one of [chart, liveCurve({ metric: "reward/mean" })]) {
      const { renderer, config } = shown(one).usermeta!.embedOptions;
      assert.equal(renderer, "svg");
      assert.equal((config as { background: string }).background, "transparent");
      // A theme that names a color of titles must not win: a title drawn in the dark would stay white.
      assert.deepEqual((config as { title: object }).title, {
        color: "currentColor",
        subtitleColor: "currentColor",
      });
      // No fixed color: one that suits a light page would be lost on a dark one.
      assert.doesNotMatch(JSON.stringify(config), /#[0-9a-f]{3}|white|black/i);
    }
  });

  it("has the same spec otherwise, which toSpec() and files keep without it", () => {
    const { usermeta: _, ...rest } = shown(chart);
    assert.deepEqual(rest, chart.toSpec());
  });

  it("stays as it is where it sets a background or tells vega-embed something itself", () => {
    const usermeta = { embedOptions: { renderer: "canvas" } };
    assert.deepEqual(shown(changed({ usermeta })).usermeta, usermeta);
    assert.equal(shown(changed({ background: "white" })).usermeta, undefined);
    assert.equal(shown(changed({ config: { background: "white" } })).usermeta, undefined);
  });

  it("stays on a canvas with more than 10,000 rows, those of layers and panels counted", () => {
    const rows = (count: number): object => ({
      data: { values: Array.from({ length: count }, () => ({ x: 1 })) },
    });
    const panels = (last: number): object => ({ vconcat: [{ layer: [rows(9_990)] }, rows(last)], data: undefined, layer: undefined }); // prettier-ignore
    assert.equal(shown(changed(panels(10))).usermeta?.embedOptions.renderer, "svg");
    assert.equal(shown(changed(panels(11))).usermeta, undefined);
  });
});
