import assert from "node:assert/strict";
import { displaySymbol, phaseChart, renderSvg, simplexChart } from "turnwise/plot";
import { estimateChart, heatMap, lineChart, table } from "turnwise";

describe("charts of the exact laboratory", () => {
  it("print the value of every cell of a heat map, with its sign", async () => {
    const chart = heatMap(
      [
        { row: "G = 2", column: "p = .5", value: -0.5 },
        { row: "G = 16", column: "p = .5", value: 0.209 },
      ],
      { title: "D_G(p)", columnTitle: "policy", rowTitle: "group size", scale: "sign" },
    );
    assert.match(chart.summary, /G = 2, p = .5: -0.500; G = 16, p = .5: \+0.209/);
    const svg = await renderSvg(chart.spec);
    assert.match(svg, /-0\.500/);
    assert.match(svg, /\+0\.209/);
  });

  it("count the arrows along which the return falls", async () => {
    const chart = phaseChart(
      [
        { x: 0.25, y: 0.25, dx: 0.1, dy: 0, gain: 0.1 },
        { x: 0.75, y: 0.25, dx: 0, dy: -0.1, gain: -0.1 },
      ],
      { title: "field", xTitle: "p", yTitle: "q", surface: [{ x: 0.5, y: 0.5, J: 0.2 }] },
    );
    assert.match(chart.summary, /2 arrows over p and q; the return falls at 1 of them/);
    assert.match(await renderSvg(chart.spec), /return falls/);
  });

  it("have a subtitle only where it is given, and at most three paths, each with a point", () => {
    const arrow = { x: 0.25, y: 0.25, dx: 0.1, dy: 0, gain: 0.1 };
    const titles = { title: "field", xTitle: "p", yTitle: "q" };
    const titleOf = (subtitle?: string): unknown =>
      (
        phaseChart([arrow], {
          ...titles,
          ...(subtitle !== undefined && { subtitle }),
        }).toSpec() as unknown as {
          title: unknown;
        }
      ).title;
    assert.equal(titleOf(), "field");
    assert.deepEqual(titleOf("two turns"), { text: "field", subtitle: "two turns" });
    const [p, dp] = [
      [0.2, 0.3, 0.5],
      [0.1, 0, -0.1],
    ] as const;
    const draw = (paths: Readonly<Record<string, readonly { p: typeof p }[]>>): unknown =>
      simplexChart([{ p, dp, gain: 0.1 }], { title: "dice", actions: ["a", "b", "c"], paths });
    assert.throws(() => draw({ a: [{ p }], b: [] }), {
      name: "RangeError",
      message: 'Cannot draw a path: it must have a point, but "b" has none.',
    });
    assert.throws(() => draw({ a: [{ p }], b: [{ p }], c: [{ p }], d: [{ p }] }), {
      name: "RangeError",
      message: "Cannot draw paths: there must be at most 3, got 4.",
    });
  });

  it("tell the ends of lines and the intervals of estimates in words", async () => {
    const lines = lineChart(
      { none: [{ x: 1, y: 0.1 }, { x: 9, y: 0.4 }] }, // prettier-ignore
      { title: "J", xTitle: "iteration", yTitle: "return", logX: true },
    );
    assert.match(lines.summary, /none goes from 0.100 at 1 to 0.400 at 9/);
    assert.match(await renderSvg(lines.spec), /<svg/);
    const dots = estimateChart(
      [
        { label: "reverse", group: "Ladder", mean: 0.9, low: 0.8, high: 1, runs: [0.8, 1] },
        { label: "reverse", group: "Tree", mean: 0.5, low: 0.4, high: 0.6 },
      ],
      { title: "Orders", xTitle: "success" },
    );
    assert.match(dots.summary, /Ladder, reverse: 0.900 \(0.800 to 1.000\)/);
    assert.match(await renderSvg(dots.spec), /Ladder/);
  });

  it("refuse to draw nothing", () => {
    const title = { title: "t", xTitle: "x", yTitle: "y" };
    assert.throws(() => lineChart({}, title), { name: "RangeError", message: /there must be a point/ });
    assert.throws(() => phaseChart([], title), /there must be an arrow/);
    assert.throws(() => estimateChart([], title), /there must be one/);
    assert.throws(
      () => heatMap([], { title: "t", columnTitle: "c", rowTitle: "r", scale: "amount" }),
      /must be a cell/,
    );
    assert.throws(() => table([]), /there must be a row/);
  });

  it("tables escape what they show and align numbers", () => {
    const bundle = table([{ rule: "<b>", J: 0.12345, n: 3 }], { caption: "c", digits: 3 })[displaySymbol]();
    assert.match(String(bundle["text/html"]), /&#60;b&#62;/);
    assert.match(String(bundle["text/html"]), /text-align:right">0.123</);
    assert.equal(bundle["text/plain"], "c\nrule  J      n\n<b>   0.123  3");
  });
});
