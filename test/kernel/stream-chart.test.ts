import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MimeBundle } from "turnwise-kernel";
import { displaySymbol, liveSymbol, streamChart } from "turnwise-kernel";
import { streamColors } from "turnwise-kernel/dist/display/stream.js";
import { seriesColors } from "turnwise/plot";
import { contrast } from "../support/color.js";
import { plain, resultText, sharedKernel, temporaryFolder } from "./with-kernel.js";

const mimeType = "application/vnd.turnwise.stream+json";

interface Sent {
  key: string;
  series: { name: string; from: number; x: number[]; y: (number | null)[] }[];
}

const sentIn = (bundle: MimeBundle): Sent => bundle[mimeType] as Sent;

describe("a streaming chart", () => {
  it("has turnwise's colors first, each with a contrast of 3:1 on light and dark backgrounds", () => {
    assert.deepEqual(streamColors.slice(0, seriesColors.length), seriesColors);
    for (const color of streamColors) {
      for (const ground of ["#ffffff", "#111111", "#333333"]) {
        assert.ok(contrast(color, ground) >= 3, `${color} on ${ground}: ${contrast(color, ground)}`);
      }
    }
  });

  it("brings all points, a picture and a text", () => {
    const chart = streamChart({ title: "a < b", x: "update", y: "return" });
    chart.push({ grpo: 1, rloo: 2 });
    chart.push({ grpo: NaN }, 10);
    const bundle = chart[displaySymbol]();
    assert.deepEqual(sentIn(bundle).series, [
      { name: "grpo", from: 0, x: [0, 10], y: [1, null] },
      { name: "rloo", from: 0, x: [0], y: [2] },
    ]);
    const svg = String(bundle["image/svg+xml"]);
    assert.match(svg, /^<svg [^]*<title>a &lt; b: return over update<\/title>[^]*<\/svg>$/);
    assert.doesNotMatch(svg, /NaN|Infinity/);
    assert.equal(bundle["text/plain"], "<chart a < b of 3 points>");
  });

  it("has a finite picture without points and with one", () => {
    const chart = streamChart();
    assert.doesNotMatch(String(chart[displaySymbol]()["image/svg+xml"]), /NaN|Infinity/);
    chart.push({ loss: 5 });
    assert.doesNotMatch(String(chart[displaySymbol]()["image/svg+xml"]), /NaN|Infinity/);
  });

  it("draws few enough points for any length, and never loses the lowest or the highest", () => {
    const chart = streamChart({ width: 400 });
    for (let i = 0; i < 50_000; i++) chart.push({ noise: i === 31_234 ? 100 : i === 7_777 ? -50 : i % 7 });
    const svg = String(chart[displaySymbol]()["image/svg+xml"]);
    const path = /<path d="(M[^"]*)" stroke-linejoin/.exec(svg)![1]!;
    const points = path.split(/[ML]/).slice(1);
    // 400 - 62 - 14 = 324 columns of pixels (and the last edge) with at most four points each.
    assert.ok(points.length <= 4 * 325, `${points.length} points`);
    const ys = points.map((point) => Number(point.split(" ")[1]));
    // The plot reaches from y = 30 (the highest value) to 300 - 44 = 256 (the lowest).
    assert.equal(Math.min(...ys), 30);
    assert.equal(Math.max(...ys), 256);
    assert.ok(svg.length < 40_000, `${svg.length} characters`);
  });

  it("sends each view only what is new to it", () => {
    const chart = streamChart();
    chart.push({ loss: 3 });
    const updates: Sent[] = [];
    const end = chart[liveSymbol]((update) => updates.push(sentIn(update!)));
    const begin = performance.now();
    let steps = 1;
    for (; updates.length < 3; steps++) {
      chart.push({ loss: steps });
      assert.ok(performance.now() - begin < 60_000, "updates come");
    }
    assert.equal(updates[0]!.series[0]!.from, 1, "the first point was there when the view was opened");
    const ends = updates.map(({ series }) => series[0]!.from + series[0]!.x.length);
    assert.deepEqual(
      updates.slice(1).map(({ series }) => series[0]!.from),
      ends.slice(0, -1),
      "each goes on where the one before ended",
    );
    assert.equal(ends.at(-1), steps);
    end();
    chart.push({ loss: 0 });
    assert.equal(updates.length, 3);
  });

  it("refuses a size or a position that is not a number", () => {
    assert.throws(() => streamChart({ width: 0 }), {
      name: "RangeError",
      message: "Cannot make a chart: width must be positive and below 10000, got 0.",
    });
    assert.throws(() => streamChart().push({ a: 1 }, NaN), {
      name: "RangeError",
      message: "Cannot add a point: x must be finite, got NaN.",
    });
  });
});

describe("a streaming chart in a cell", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const folder = temporaryFolder();

  it("grows inside a synchronous loop, and is whole when the cell ends", async () => {
    const seen: [string, Sent][] = [];
    const result = await kernel().execute(
      `import { streamChart } from "turnwise-kernel"
const chart = streamChart({ y: "loss" });
display(chart);
for (let i = 0; i < 10_000; i++) chart.push({ loss: 1 / (i + 1) });
// Goes on until two updates have arrived: none of them may wait for the end of the loop.
let more = 0; const nap = new Int32Array(new SharedArrayBuffer(4));
while (!require("node:fs").existsSync(${JSON.stringify(join(folder(), "seen"))})) { chart.push({ loss: 0 }); more++; Atomics.wait(nap, 0, 0, 1) }
more`,
      {
        onMessage: ({ header, content }) => {
          if (!/display_data$/.test(header.msg_type)) return;
          seen.push([header.msg_type, sentIn(content.data as MimeBundle)]);
          if (seen.length === 3) writeFileSync(join(folder(), "seen"), "");
        },
      },
    );
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    assert.equal(seen[0]![0], "display_data");
    const updates = seen.slice(1);
    assert.ok(updates.every(([type]) => type === "update_display_data"));
    const points = 10_000 + Number(resultText(result));
    const last = updates.at(-1)![1].series[0]!;
    assert.deepEqual([last.from, last.x.length, last.y[9_999]], [0, points, 1 / 10_000]);
    const streamed = updates.slice(0, -1).map(([, { series }]) => series[0]!);
    assert.ok(streamed.length >= 2);
    assert.ok(streamed.every(({ from, x }, i) => i === 0 || (from > 0 && x.length < points)));
  });
});
