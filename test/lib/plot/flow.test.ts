import assert from "node:assert/strict";
import { phaseChart, renderSvg, seriesColors, simplexChart } from "turnwise/plot";
import { decimatePath } from "turnwise/internal/plot/decimate";

const field = [
  { x: 0.25, y: 0.25, dx: 0.1, dy: 0, gain: 0.1 },
  { x: 0.75, y: 0.25, dx: 0, dy: -0.1, gain: -0.1 },
];
const titles = { title: "field", xTitle: "p", yTitle: "q" };
const third = 1 / 3;
const center = [{ p: [third, third, third] as const, dp: [0.2, -0.1, -0.1] as const, gain: 0.1 }];
const actions = ["a", "b", "c"] as const;

/** Stroke colors and dash patterns of the lines in a picture. */
const strokes = (svg: string): string[] =>
  [...svg.matchAll(/<path[^>]*aria-roledescription="line mark"[^>]*>/g)].map(([path]) => {
    const of = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(path)?.[1] ?? "";
    return `${of("stroke")} ${of("stroke-dasharray")}`;
  });

describe("paths of training over a vector field", () => {
  const paths = {
    plain: [{ x: 0.1, y: 0.2 }, { x: 0.5, y: 0.5 }, { x: 0.9, y: 0.8 }], // prettier-ignore
    std: [{ x: 0.1, y: 0.2 }, { x: 0, y: 0.2 }], // prettier-ignore
  };

  it("are told in words, with where they begin and end", () => {
    const { summary, spec } = phaseChart(field, { ...titles, paths });
    assert.equal(
      summary,
      "field: 2 arrows over p and q; the return falls at 1 of them. " +
        "plain goes from (0.10, 0.20) to (0.90, 0.80) in 2 steps. std goes from (0.10, 0.20) to (0.00, 0.20) in 1 steps.",
    );
    assert.equal(spec.description, summary);
    const triangle = simplexChart(center, {
      title: "dice",
      actions,
      paths: { run: [{ p: [1, 0, 0] }, { p: [0, 0.5, 0.5] }] },
    });
    assert.match(triangle.summary, /1 arrows over the policies on a, b, c; the return falls at 0 of them\./);
    assert.match(
      triangle.summary,
      /run goes from \(1\.00, 0\.00, 0\.00\) to \(0\.00, 0\.50, 0\.50\) in 1 steps/,
    );
  });

  it("differ in color and in dash, and none is orange, which means a fall", async () => {
    const drawn = strokes(await renderSvg(phaseChart(field, { ...titles, paths }).spec));
    assert.equal(drawn.length, 2);
    const [first, second] = drawn.map((one) => one.split(" "));
    assert.notEqual(first![0], second![0]);
    assert.notEqual(first!.slice(1).join(), second!.slice(1).join());
    assert.ok(drawn.every((one) => !one.startsWith(seriesColors[1]!)));
  });

  it("stand on a triangle whose corners are the three actions", async () => {
    const svg = await renderSvg(
      simplexChart(center, {
        title: "dice",
        actions,
        size: 432,
        surface: [{ corners: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], J: 1 }], // prettier-ignore
        paths: { run: [{ p: [1, 0, 0] }, { p: [0, 1, 0] }, { p: [0, 0, 1] }] },
      }).spec,
    );
    for (const action of actions) assert.ok(svg.includes(`pi(${action}) = 1`), action);
    // The axis goes from -.04 to 1.04, so 432 pixels are 400 a unit: a at (16, ...), b at (416, ...), c half-way.
    const path = /<path aria-label="[^"]*path: run[^"]*"[^>]*d="M([^"]*)"/.exec(svg)?.[1];
    const points = path!.split("L").map((point) => point.split(",").map(Number));
    assert.deepEqual(
      points.map(([x]) => Math.round(x!)),
      [16, 416, 216],
    );
    // The height of the triangle is 400 sqrt(3)/2 = 346 pixels.
    assert.equal(Math.round(points[0]![1]! - points[2]![1]!), 346);
  });

  it("set no ground and no text color but the neutral one, so that both themes apply", () => {
    const text = JSON.stringify(simplexChart(center, { title: "t", actions }).spec);
    assert.doesNotMatch(text, /"background"/);
    const colors = new Set([...text.matchAll(/#[0-9A-Fa-f]{6}/g)].map(([color]) => color));
    // The arrows of the center all rise, so that no color of falls is explained.
    assert.deepEqual([...colors].sort(), ["#808080", seriesColors[0]].sort());
  });

  it("of any length are drawn with at most so many points, first and last kept", () => {
    const long = Array.from({ length: 10_000 }, (_, i) => i);
    const kept = decimatePath(long, 400);
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [400, 0, 9_999]);
    assert.equal(decimatePath([1, 2], 400).length, 2);
    assert.throws(() => decimatePath(long, 1), {
      name: "RangeError",
      message: "Cannot decimate a path: limit must be >= 2, got 1.",
    });
  });

  it("are refused when one is empty or when they are more than can be told apart", () => {
    assert.throws(() => phaseChart(field, { ...titles, paths: { none: [] } }), {
      name: "RangeError",
      message: 'Cannot draw a path: it must have a point, but "none" has none.',
    });
    const one = paths.std;
    assert.throws(() => phaseChart(field, { ...titles, paths: { a: one, b: one, c: one, d: one } }), {
      name: "RangeError",
      message: "Cannot draw paths: there must be at most 3, got 4.",
    });
    assert.throws(() => simplexChart([], { title: "t", actions }), {
      name: "RangeError",
      message: "Cannot draw a simplex: there must be an arrow, got none.",
    });
  });
});
