import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { lineChart } from "turnwise";
import { heatMap, renderSvg } from "turnwise/plot";
import { root } from "../../support/paths.js";

type Vega = typeof import("vega");
type VegaLite = typeof import("vega-lite");

/** As npm installs them, where the library's own are each one file inside its package. */
const ofNpm = createRequire(path.join(root, "package.json"));

describe("the Vega that the package carries", function () {
  this.timeout(30_000);

  it("is another than npm's, and draws the same", async () => {
    const own = createRequire(path.join(root, "lib", "turnwise", "dist", "index.js"));
    assert.match(own.resolve("vega"), /turnwise.dist.node_modules.vega.index\.js$/);
    assert.notEqual(own.resolve("vega"), ofNpm.resolve("vega"));
    const vega = ofNpm("vega") as Vega;
    const { compile } = ofNpm("vega-lite") as VegaLite;
    const cells = [1, 2, 3].flatMap((x) =>
      [1, 2].map((y) => ({ column: `x${x}`, row: `y${y}`, value: x * y })),
    );
    const charts = [
      lineChart(
        { up: [1, 2, 3].map((x) => ({ x, y: x ** 2, low: x, high: x ** 3 })), down: [{ x: 1, y: 2 }] },
        { title: "Two lines", xTitle: "x", yTitle: "y" },
      ),
      heatMap(cells, { title: "A map", columnTitle: "x", rowTitle: "y", scale: "amount" }),
    ];
    for (const { spec } of charts) {
      const view = new vega.View(vega.parse(compile(spec as unknown as Parameters<typeof compile>[0]).spec), {
        renderer: "none",
      });
      // Both number what they draw, from the start of the process on.
      const plain = (svg: string): string => svg.replaceAll(/\b(?:clip|gradient_)\d+/g, "");
      assert.equal(plain(await renderSvg(spec)), plain(await view.toSVG()));
      view.finalize();
    }
  });
});
