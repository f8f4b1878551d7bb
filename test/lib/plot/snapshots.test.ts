import { drawLoop, phaseChart, renderSvg, simplexChart } from "turnwise/plot";
import { estimateChart, heatMap, lineChart } from "turnwise";
import { linesOf, matchesSnapshot } from "../../support/snapshot.js";

const titles = { title: "A chart", xTitle: "x", yTitle: "y" };
const curve = [1, 2, 3, 4].map((x) => ({ x, y: x * x, low: x, high: x * x + 1 }));
const third = 1 / 3;

/** Each is looked at in the difference of a commit; what they must say is tested by name elsewhere. */
const charts: Readonly<Record<string, () => string | Promise<string>>> = {
  "line-band": () => renderSvg(lineChart({ squares: curve }, titles).spec),
  "lines-two": () =>
    renderSvg(lineChart({ squares: curve, flat: [{ x: 1, y: 2 }, { x: 4, y: 2 }] }, titles).spec), // prettier-ignore
  "line-gap": () =>
    renderSvg(lineChart({ holed: [{ x: 1, y: 1 }, { x: 2, y: NaN }, { x: 3, y: 2 }] }, titles).spec), // prettier-ignore
  phase: () =>
    renderSvg(
      phaseChart(
        [
          { x: 0.25, y: 0.25, dx: 0.1, dy: 0, gain: 0.1 },
          { x: 0.75, y: 0.25, dx: 0, dy: -0.1, gain: -0.1 },
        ],
        { ...titles, paths: { run: [{ x: 0.1, y: 0.2 }, { x: 0.9, y: 0.8 }] } }, // prettier-ignore
      ).spec,
    ),
  simplex: () =>
    renderSvg(
      simplexChart([{ p: [third, third, third], dp: [0.2, -0.1, -0.1], gain: 0.1 }], {
        title: "Three actions",
        actions: ["a", "b", "c"],
        paths: { run: [{ p: [1, 0, 0] }, { p: [0, 1, 0] }] },
      }).spec,
    ),
  estimates: () =>
    renderSvg(
      estimateChart(
        [
          { label: "a", mean: 1, low: 0, high: 2, runs: [0, 2] },
          { label: "b", mean: 3, low: 2.5, high: 3.5 },
        ],
        { title: "Estimates", xTitle: "return" },
      ).spec,
    ),
  heat: () =>
    renderSvg(
      heatMap(
        [
          { row: "r", column: "c", value: 0.5 },
          { row: "r", column: "d", value: -0.25, label: "d!" },
        ],
        { title: "Heat", columnTitle: "columns", rowTitle: "rows", scale: "sign" },
      ).spec,
    ),
  "loop-none": () => drawLoop().svg,
  "loop-rule": () => drawLoop("rule").svg,
  "loop-two": () => drawLoop(["agent", "world"], { title: "Both" }).svg,
};

describe("charts", () => {
  for (const [name, draw] of Object.entries(charts)) {
    it(`${name} looks as in its snapshot`, async () => {
      matchesSnapshot("lib/plot", `${name}.svg`, linesOf(await draw()));
    });
  }
});
