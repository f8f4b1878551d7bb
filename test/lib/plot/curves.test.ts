import assert from "node:assert/strict";
import {
  decimate,
  displaySymbol,
  endTitle,
  liveSymbol,
  neutralColor,
  renderSvg,
  seriesColors,
  seriesDashes,
  seriesStyles,
  vegaLiteMime,
} from "turnwise/plot";
import { learningCurve, lineChart, liveCurve } from "turnwise";
import { contrast, seenDifference, visions } from "../../support/color";

interface Spec {
  description: string;
  title: { text: string; subtitle: string };
  data: { values: { series: string; x: number; y: number; low?: number; high?: number }[] };
  layer: unknown[];
  background?: string;
}

const run = (values: number[]): { update: number; metrics: Record<string, number> }[] =>
  values.map((value, i) => ({ update: i + 1, metrics: { "return/exact": value } }));

describe("palette", () => {
  it("keeps a contrast of 3:1 on white, on Lab's dark ground and on that of Vega's dark theme, with a dash as second cue", () => {
    for (const color of [...seriesColors, neutralColor]) {
      for (const ground of ["#ffffff", "#111111", "#333333"]) {
        assert.ok(contrast(color, ground) >= 3, `${color} on ${ground}: ${contrast(color, ground)}`);
      }
    }
    assert.equal(new Set(seriesDashes.map(String)).size, seriesColors.length);
  });

  // Okabe and Ito's own four come to 17.0 (blue and green without short cones).
  it("is told apart without any one kind of cone", () => {
    for (const [name, vision] of Object.entries(visions)) {
      for (const [i, a] of seriesColors.entries()) {
        for (const b of seriesColors.slice(i + 1)) {
          const far = seenDifference(a, b, vision);
          assert.ok(far > 16, `${a} and ${b}, ${name}: ${far}`);
        }
      }
    }
  });
});

describe("learningCurve()", () => {
  it("bands at the level that its subtitle names, worked out by hand", () => {
    // Means of two draws from 0 and 1 are 0, 1/2 and 1 in 1, 2 and 1 of 4 cases. At a level of .2 and one degree of freedom
    // t = tan(.1 pi) = .325, so the band is from the quantile Phi(-.460) = .323 to .677: 1/2 both. At .95 it is 0 to 1.
    const at = (level?: number): Spec =>
      learningCurve(
        { grpo: [run([0]), run([1])] },
        { metric: "return/exact", level },
      ).toSpec() as unknown as Spec;
    const [narrow, wide] = [at(0.2), at()];
    assert.deepEqual(
      [narrow, wide].map(({ data: { values } }) => [values[0]!.low, values[0]!.high]),
      [
        [0.5, 0.5],
        [0, 1],
      ],
    );
    assert.match(narrow.title.subtitle, /band: 20 % bootstrap interval/);
    assert.match(wide.title.subtitle, /band: 95 % bootstrap interval/);
  });

  it("averages runs per update and bands them", () => {
    const chart = learningCurve({ grpo: [run([0, 1]), run([1, 3])] }, { metric: "return/exact", optimum: 3 });
    const spec = chart.toSpec() as unknown as Spec;
    // Update 1: (0 + 1) / 2 = 0.5; update 2: (1 + 3) / 2 = 2. Resampled means of two values lie between them.
    assert.deepEqual(
      spec.data.values.map((p) => [p.x, p.y, p.low, p.high]),
      [
        [1, 0.5, 0, 1],
        [2, 2, 1, 3],
      ],
    );
    assert.equal(
      spec.title.subtitle,
      "mean over 2 seeds, band: 95 % bootstrap interval, dots: where each ends",
    );
    assert.match(spec.description, /grpo ends at 2\.000 \(interval 1\.000 to 3\.000\) after 2 updates/);
    assert.equal(spec.layer.length, 7, "band, line, dots, strokes and names, reference rule and its label");
  });

  it("has a title that states where the lines end, unless it is given one", () => {
    const title = (ends: Readonly<Record<string, number>>, given?: string): string => {
      const runs = Object.fromEntries(Object.entries(ends).map(([name, end]) => [name, [run([0, end])]]));
      const options = { metric: "return/exact", ...(given !== undefined && { title: given }) };
      return (learningCurve(runs, options).toSpec() as unknown as Spec).title.text;
    };
    assert.equal(title({ grpo: 0.987 }), "After 2 updates: grpo 0.99");
    assert.equal(title({ grpo: 0.987, ppo: 0.004 }), "After 2 updates: grpo 0.99, ppo 0.0040");
    assert.equal(title({ grpo: 1 }, "Both learn"), "Both learn");
    const four = { grpo: 0.7, rloo: 0.9, ppo: -0.2, reinforce: 0 };
    assert.equal(title(four), "After 2 updates: from -0.20 (ppo) to 0.90 (rloo)");
    const long = Object.fromEntries(Object.entries(four).map(([name, end]) => [name.repeat(8), end]));
    assert.equal(title(long), "After 2 updates: from -0.20 to 0.90");
    assert.equal(
      title({ grpo: 0.999, rloo: 1, ppo: 1.001, reinforce: 1 }),
      "After 2 updates: 1.00 on all lines",
    );
    assert.equal(title({ ["grpo".repeat(20)]: 0.5 }), "After 2 updates: 0.50");
    const uneven = learningCurve({ grpo: [run([0])], rloo: [run([0, 1])] }, { metric: "return/exact" });
    assert.equal((uneven.toSpec() as unknown as Spec).title.text, "At the end: grpo 0.00, rloo 1.00");
    const first = learningCurve({ grpo: [run([0.5])] }, { metric: "return/exact" });
    assert.equal((first.toSpec() as unknown as Spec).title.text, "After 1 update: grpo 0.50");
  });

  describe("the names of lines", () => {
    interface Named {
      readonly layer: readonly {
        readonly data?: { readonly values: readonly { series: string; y: number; shift: number }[] };
        readonly mark: { readonly type: string; readonly dx?: number };
        readonly encoding: { readonly color?: { readonly legend: unknown } };
      }[];
    }
    const drawn = (ends: Readonly<Record<string, number>>): Named =>
      learningCurve(Object.fromEntries(Object.entries(ends).map(([name, end]) => [name, [run([0, end])]])), {
        metric: "return/exact",
      }).toSpec() as unknown as Named;
    const namesOf = ({ layer }: Named) => layer.find(({ mark }) => mark.dx === 26)?.data?.values ?? [];

    it("are at their ends instead of in a legend, and never cover each other", () => {
      const spec = drawn({ grpo: 1, rloo: 0.99, ppo: 0.98, reinforce: 0.5 });
      assert.ok(spec.layer.every(({ encoding: { color } }) => !color?.legend));
      // The axis spans 0 to 1 in 260 pixels.
      const at = namesOf(spec).map(({ series, y, shift }) => [series, 260 * (1 - y) + shift] as const);
      assert.deepEqual(
        at.map(([series]) => series),
        ["grpo", "rloo", "ppo", "reinforce"],
      );
      const places = at.map(([, place]) => place);
      places.slice(1).forEach((place, i) => assert.ok(place - places[i]! >= 17 - 0.1, places.join()));
      // Ends at 0, 2.6 and 5.2 pixels: the first stays, the others are 17 and 34 pixels down. The last one is far away.
      assert.deepEqual(
        namesOf(spec).map(({ shift }) => shift),
        [0, 14.4, 28.8, 0],
      );
    });

    it("are pushed up again from below the axis", () => {
      // Ends at 260, 260 and 0 pixels: the two at the bottom are at 243 and 260.
      const shifts = namesOf(drawn({ grpo: 0, rloo: 0, ppo: 1 })).map(({ series, shift }) => [series, shift]);
      assert.deepEqual(shifts, [
        ["ppo", 0],
        ["grpo", -17],
        ["rloo", 0],
      ]);
    });

    it("are in a legend where they are many or long", () => {
      const many = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`rule ${String(i)}`, i]));
      for (const ends of [many, { ["a".repeat(31)]: 1 }]) {
        const spec = drawn(ends);
        assert.deepEqual(namesOf(spec), []);
        assert.ok(spec.layer.some(({ encoding: { color } }) => color?.legend));
      }
    });
  });

  it("draws a dot where each seed ends, as a mean between two peaks is where no seed is", () => {
    const given = { grpo: [run([0, 1]), run([1, 3]), run([1, 3, 5])], one: run([2]) };
    const { layer } = learningCurve(given, { metric: "return/exact" }).toSpec() as unknown as {
      layer: { data?: { values: object[] }; mark: { type: string; shape?: string } }[];
    };
    const dots = layer.filter(({ mark }) => mark.type === "point" && mark.shape !== "stroke");
    // The third seed goes on, but the curve ends where all three have been. A single run is the line itself.
    assert.deepEqual(
      dots.map(({ data }) => data!.values),
      [[1, 3, 3].map((y) => ({ series: "grpo", x: 2, y, shift: -7 }))], // one column left of the last series
    );
    const alone = learningCurve({ one: run([2]) }, { metric: "return/exact" });
    assert.equal(
      (alone.toSpec() as unknown as Spec).layer.length,
      3,
      "the line, its name, and the stroke before it",
    );
  });

  it("leaves out updates that some seed lacks", () => {
    const chart = learningCurve({ grpo: [run([0, 1]), run([1])] }, { metric: "return/exact" });
    assert.deepEqual(
      (chart.toSpec() as unknown as Spec).data.values.map((p) => p.x),
      [1],
    );
  });

  it("tells the seeds of each series when they differ in number", () => {
    const chart = learningCurve({ grpo: [run([0]), run([1])], rloo: [run([1])] }, { metric: "return/exact" });
    assert.match(
      (chart.toSpec() as unknown as Spec).title.subtitle,
      /^mean over seeds \(grpo: 2, rloo: 1\), /,
    );
  });

  it("names the metrics found when the wanted one is missing", () => {
    assert.throws(() => learningCurve({ grpo: [run([0])] }, { metric: "reward" }), {
      name: "RangeError",
      message:
        'Cannot draw a learning curve: the runs must hold the metric "reward", but metrics found are return/exact.',
    });
  });

  it("breaks a long title of the vertical axis in two, since Vega would make the chart as high as the title", () => {
    const points = { a: [{ x: 0, y: 0 }, { x: 1, y: 1 }] }; // prettier-ignore
    const chart = lineChart(points, {
      title: "t",
      xTitle: "x",
      yTitle: "norm (gradient, C) or fraction of tokens",
    });
    const layer = chart.spec.layer as { encoding: { y: { title: unknown } } }[];
    assert.deepEqual(layer[0]!.encoding.y.title, ["norm (gradient, C) or", "fraction of tokens"]);
  });

  it("draws as SVG without a browser, on no ground of its own", async () => {
    const chart = learningCurve({ grpo: [run([0, 1])], seeUpo: [run([0, 2])] }, { metric: "return/exact" });
    const spec = chart.toSpec() as unknown as Spec;
    assert.equal(spec.background, undefined);
    const svg = await renderSvg(chart.toSpec());
    assert.match(svg, /^<svg[^]*exact return[^]*<\/svg>$/);
    for (const { color } of seriesStyles(["grpo", "seeUpo"])) {
      assert.ok(svg.includes(color), `${color} is drawn`);
    }
  });
});

describe("endTitle()", () => {
  it("states where lines end, and the means of rows with their groups", () => {
    const lines = { up: [{ y: 0 }, { y: 1 }], down: [{ y: 1 }, { y: 0.25 }] };
    assert.equal(endTitle("At 2", lines), "At 2: up 1.00, down 0.25");
    const rows = [
      { label: "grpo", mean: 0.5 },
      { group: "Adam", label: "grpo", mean: 1 },
    ];
    assert.equal(endTitle("Success", rows), "Success: grpo 0.50; Adam, grpo 1.00");
    assert.equal(
      endTitle("J", { stuck: [{ y: 8.3e-18 }], slow: [{ y: 0.004 }] }),
      "J: stuck 0.00, slow 0.0040",
    );
  });

  it("refuses what has no end", () => {
    const message = "Cannot state where lines end: there must be a point, got none.";
    assert.throws(() => endTitle("J", []), { name: "RangeError", message });
    assert.throws(() => endTitle("J", { grpo: [] }), { name: "RangeError", message });
  });
});

describe("liveCurve()", () => {
  it("states in its title how far each series has got, unless it is given one", () => {
    const chart = liveCurve({ metric: "return/exact" });
    const titleOf = (live: typeof chart): string => (live.toSpec() as unknown as Spec).title.text;
    assert.equal(titleOf(chart), "Training");
    chart.add(run([0.25])[0]!, "grpo");
    assert.equal(titleOf(chart), "After 1 update: grpo 0.25");
    assert.equal(titleOf(liveCurve({ metric: "return/exact", title: "Mine" })), "Mine");
  });

  it("draws the seeds of a series as the mean of those that have got so far, with a band from two on", () => {
    const chart = liveCurve({ metric: "return/exact" });
    const add = (seed: number, update: number, y: number): void =>
      chart.add({ update, metrics: { "return/exact": y } }, "grpo", seed);
    add(3, 1, 0);
    add(3, 2, 1);
    add(5, 1, 1);
    const { data, title } = chart.toSpec() as unknown as {
      data: { values: { x: number; y: number; low?: number; high?: number }[] };
      title: { subtitle: string };
    };
    // (0 + 1)/2 = .5; of two values the 95% interval of the mean reaches from one to the other.
    assert.deepEqual(data.values, [
      { series: "grpo", x: 1, y: 0.5, low: 0, high: 1 },
      { series: "grpo", x: 2, y: 1 },
    ]);
    assert.match(title.subtitle, /^grpo: 2 seeds so far; mean of those that have got there/);
    assert.match(chart.toSpec().description, /grpo: 1\.000 after update 2/);
    // A seed that is trained again counts once.
    const before = JSON.stringify(chart.toSpec());
    add(3, 1, 0);
    assert.equal(JSON.stringify(chart.toSpec()), before);
  });

  it("draws seeds the same, bit by bit, in whichever order threads finish them", () => {
    const drawn = (seeds: readonly number[]): unknown => {
      const chart = liveCurve({ metric: "return/exact" });
      for (const seed of seeds) chart.add(run([seed / 10])[0]!, "grpo", seed);
      return (chart.toSpec() as unknown as Spec).data.values;
    };
    // In doubles .1 + .2 + .3 is not .3 + .2 + .1, and the interval draws values by their places.
    assert.deepEqual(drawn([3, 2, 4, 1]), drawn([1, 2, 3, 4]));
  });

  it("notifies its subscribers of every record, until they unsubscribe", () => {
    const chart = liveCurve({ metric: "return/exact", total: 10, optimum: 1 });
    let heard = 0;
    const stop = chart[liveSymbol](() => heard++);
    chart.add(run([0.25])[0]!, "grpo");
    assert.equal(heard, 1);
    stop();
    chart.add({ update: 2, metrics: { "return/exact": 0.5 } }, "grpo");
    assert.equal(heard, 1);
    const bundle = chart[displaySymbol]();
    const spec = bundle[vegaLiteMime] as Spec;
    assert.deepEqual(
      spec.data.values.map((p) => p.y),
      [0.25, 0.5],
    );
    assert.match(spec.title.subtitle, /^grpo: update 2 of 10/);
    assert.equal(
      bundle["text/plain"],
      "Live learning curve of return/exact. grpo: 0.500 after update 2; the exact optimum is 1.000.",
    );
  });

  it("tells no speed of records that come all at once, as stored ones do", () => {
    const chart = liveCurve({ metric: "return/exact", total: 300 });
    for (let update = 1; update <= 300; update++) {
      chart.add({ update, metrics: { "return/exact": 0.5 } }, "stored");
    }
    const { subtitle } = (chart.toSpec() as unknown as Spec).title;
    assert.equal(subtitle, "stored: update 300 of 300");
  });

  it("has a finite size before the first record, since JupyterLab draws a chart without one for ever", async () => {
    for (const options of [{ metric: "return/exact" }, { metric: "return/exact", total: 50, optimum: 0.4 }]) {
      const svg = await renderSvg(liveCurve(options).toSpec());
      assert.doesNotMatch(svg, /NaN|Infinity/);
      assert.match(svg, /width="\d{3}" height="\d{3}"/);
    }
  });

  it("hands on every record that it follows", async () => {
    async function* records(): AsyncGenerator<{ update: number; metrics: Record<string, number> }> {
      for (const record of run([1, 2, 3])) yield record;
    }
    const seen: number[] = [];
    const chart = liveCurve({ metric: "return/exact" });
    for await (const record of chart.follow(records(), "grpo")) seen.push(record.update);
    assert.deepEqual(seen, [1, 2, 3]);
    assert.equal((chart.toSpec() as unknown as Spec).data.values.length, 3);
  });
});

describe("decimate()", () => {
  it("keeps ends, order and the one spike among 10,000 points", () => {
    const points = Array.from({ length: 10_000 }, (_, x) => ({ x, y: x === 6789 ? 100 : Math.sin(x / 500) }));
    const kept = decimate(points, 200);
    assert.ok(kept.length <= 200, `${kept.length} points`);
    assert.equal(kept[0]!.x, 0);
    assert.equal(kept.at(-1)!.x, 9999);
    assert.ok(kept.some((p) => p.y === 100));
    assert.ok(kept.every((p, i) => i === 0 || p.x > kept[i - 1]!.x));
  });

  it("refuses a limit that cannot hold both ends and a bucket", () => {
    assert.throws(() => decimate([], 3), {
      name: "RangeError",
      message: "Cannot decimate points: limit must be >= 4, got 3.",
    });
  });
});
