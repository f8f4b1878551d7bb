import assert from "node:assert/strict";
import fs from "node:fs";
import { inflateSync } from "node:zlib";
import { estimateChart, heatMap, lineChart, liveCurve } from "turnwise";
import { renderSvg } from "turnwise/plot";
import { loadTextWidth } from "turnwise/internal/plot/files/textWidth";
import { pathsOfSuite } from "../../support/command.js";

const squares = lineChart(
  { squares: [1, 2, 3].map((x) => ({ x, y: x ** 2, low: x, high: x ** 2 + 1 })) },
  { title: "θ ← θ − η∇J", xTitle: "x", yTitle: "x squared" },
);

/** Width, height and the bytes of the lines of a PNG of 8 bits for each channel. */
function decoded(file: string): { width: number; height: number; channels: number; lines: Buffer } {
  const bytes = fs.readFileSync(file);
  assert.equal(bytes.subarray(1, 4).toString("latin1"), "PNG");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const parts: Buffer[] = [];
  for (let i = 8; i < bytes.length; i += bytes.readUInt32BE(i) + 12) {
    if (bytes.subarray(i + 4, i + 8).toString("latin1") !== "IDAT") continue;
    parts.push(bytes.subarray(i + 8, i + 8 + bytes.readUInt32BE(i)));
  }
  return { width, height, channels: bytes[25] === 6 ? 4 : 3, lines: inflateSync(Buffer.concat(parts)) };
}

describe("chart.save()", function () {
  this.timeout(60_000);
  const at = pathsOfSuite();

  it("writes SVG with its colors, on white or on dark", async () => {
    assert.equal(await squares.save(at("a.svg")), at("a.svg"));
    const light = fs.readFileSync(at("a.svg"), "utf8");
    assert.match(light, /^<svg .*θ ← θ − η∇J/s);
    assert.match(light, /fill="#ffffff"/);
    await squares.save(at("a.svg"), { theme: "dark" });
    const dark = fs.readFileSync(at("a.svg"), "utf8");
    assert.match(dark, /fill="#111111"/);
    assert.doesNotMatch(dark, /#ffffff|fill="#000"/);
    await squares.save(at("clear.svg"), { background: "transparent" });
    assert.doesNotMatch(fs.readFileSync(at("clear.svg"), "utf8"), /fill="#(ffffff|111111)"/);
  });

  it("measures text in the font that it draws with, so that no room is left for wider letters", async () => {
    const textWidth = await loadTextWidth();
    // Digits of DejaVu Sans advance by 1303 of 2048 units, bold ones by 1425; an em dash by 2048.
    assert.equal(textWidth("0123456789", 20, false), (20 * 10 * 1303) / 2048);
    assert.equal(textWidth("7", 20, true), (20 * 1425) / 2048);
    assert.equal(textWidth("—", 7, false), 7);
    const long = lineChart({ a: [{ x: 1, y: 1 }] }, { title: "i".repeat(120), xTitle: "x", yTitle: "y" });
    await long.save(at("long.svg"));
    const widthOf = (svg: string): number => Number(/width="([\d.]+)"/.exec(svg)![1]);
    // Vega alone takes every letter for .8 of its size.
    const [measured, estimated] = [fs.readFileSync(at("long.svg"), "utf8"), await renderSvg(long.spec)].map(
      widthOf,
    );
    assert.ok(measured! < estimated! / 1.8, `${measured} and ${estimated}`);
    assert.equal(widthOf(await renderSvg(long.spec)), estimated);
  });

  it("draws the same figure beside someone who has taught Vega to measure otherwise", async () => {
    const alone = await renderSvg(squares.spec);
    const { textMetrics } = (await import("vega")) as unknown as { textMetrics: { width: () => number } };
    const before = textMetrics.width;
    const theirs = (): number => 7;
    textMetrics.width = theirs;
    try {
      assert.equal(await renderSvg(squares.spec), alone);
      assert.equal(textMetrics.width, theirs, "and leaves their measure to them");
    } finally {
      textMetrics.width = before;
    }
  });

  it("writes the spec as JSON", async () => {
    await squares.save(at("a.json"));
    assert.deepEqual(
      JSON.parse(fs.readFileSync(at("a.json"), "utf8")),
      JSON.parse(JSON.stringify(squares.spec)),
    );
  });

  it("writes PNG whose size is that of the SVG times the scale, and draws text without fonts of the machine", async () => {
    await squares.save(at("a.svg"));
    const [, w, h] = /width="([\d.]+)" height="([\d.]+)"/
      .exec(fs.readFileSync(at("a.svg"), "utf8"))!
      .map(Number);
    await squares.save(at("a.png"), { scale: 1 });
    const { width, height } = decoded(at("a.png"));
    assert.deepEqual([width, height], [w, h]);
    await squares.save(at("b.png"));
    assert.equal(decoded(at("b.png")).width, 2 * w!);
    // A chart whose title is blank differs from one with a title only in the drawn letters.
    const titled = (title: string) => lineChart({ a: [{ x: 1, y: 1 }] }, { title, xTitle: "x", yTitle: "y" });
    for (const [name, title] of [
      ["blank", " "],
      ["greek", "θηπ"],
      ["arrow", "←≥∇"],
    ]) {
      await titled(title!).save(at(`${name}.png`), { scale: 1 });
    }
    const size = (name: string): number => fs.statSync(at(`${name}.png`)).size;
    assert.ok(size("greek") > size("blank") + 100, `${size("greek")} and ${size("blank")}`);
    assert.ok(size("arrow") > size("blank") + 100, `${size("arrow")} and ${size("blank")}`);
  });

  it("writes a PDF of one page with its title and both fonts", async () => {
    await squares.save(at("a.pdf"));
    const text = fs.readFileSync(at("a.pdf"), "latin1");
    assert.match(text, /^%PDF-1\./);
    assert.equal([...text.matchAll(/\/Type \/Page\b(?!s)/g)].length, 1);
    assert.match(text, /DejaVuSans\b/);
    assert.match(text, /DejaVuSans-Bold/);
    assert.ok(text.length < 60_000, `${text.length} bytes: fonts are to be cut down to the letters used`);
  });

  it("saves every kind of chart in every format", async () => {
    const live = liveCurve({ metric: "reward/mean", optimum: 1 });
    live.add({ update: 1, metrics: { "reward/mean": 0.5 } }, "grpo", 0);
    live.add({ update: 1, metrics: { "reward/mean": 0.7 } }, "grpo", 1);
    const charts = {
      live,
      estimates: estimateChart([{ label: "a", mean: 1, low: 0, high: 2, runs: [0, 2] }], {
        title: "t",
        xTitle: "x",
      }),
      heat: heatMap([{ row: "r", column: "c", value: 0.5 }], {
        title: "h",
        rowTitle: "r",
        columnTitle: "c",
        scale: "sign",
      }),
    };
    for (const [name, chart] of Object.entries(charts)) {
      for (const ending of ["svg", "png", "pdf", "json"]) {
        assert.ok(
          fs.statSync(await chart.save(at(`${name}.${ending}`), { theme: "dark" })).size > 400,
          `${name}.${ending}`,
        );
      }
    }
    assert.deepEqual(
      fs.readdirSync(at("")).filter((name) => name.endsWith(".part")),
      [],
    );
  });

  const refusals: readonly [string, () => Promise<unknown>, RegExp][] = [
    [
      "another ending",
      () => squares.save("x.gif"),
      /^RangeError: Cannot save a chart: its path must end in \.svg, \.png, \.pdf or \.json, got "x\.gif"\.$/,
    ],
    ["no ending", () => squares.save("x"), /got "x"\.$/],
    [
      "no path",
      () => squares.save(3 as never),
      /^TypeError: Cannot save a chart: its path must be a string, got 3\.$/,
    ],
    [
      "a folder that is not there",
      () => squares.save(at("no/x.svg")),
      /the folder of ".*x\.svg" must exist, but there is no .*no\.$/,
    ],
    [
      "another theme",
      () => squares.save(at("x.svg"), { theme: "sepia" as never }),
      /theme must be "light" or "dark", got "sepia"\.$/,
    ],
    ["a scale of 0", () => squares.save(at("x.png"), { scale: 0 }), /scale must be in \(0, 20\], got 0\.$/],
    [
      "a misspelled option",
      () => squares.save(at("x.png"), { them: "dark" } as never),
      /unknown option "them"\.\nDid you mean "theme"\?$/,
    ],
  ];
  for (const [what, call, sentence] of refusals) {
    it(`refuses ${what} with a sentence`, () =>
      assert.rejects(
        call(),
        (error: Error) => sentence.test(`${error.name}: ${error.message}`) || assert.fail(String(error)),
      ));
  }
});
