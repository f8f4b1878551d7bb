// Uses internals of turnwise/rule.
import assert from "node:assert/strict";
import { phaseChart, seriesStyles, type VegaLiteSpec } from "turnwise/plot";
import { recipeNames, sweepTable, estimateChart, learningCurve } from "turnwise";
import { ruleColor } from "turnwise/internal/plot/ruleStyle";
import { citations } from "turnwise/internal/rule/citations";
import { contrast, seenDifference, visions } from "../../support/color";

const orange = "#D55E00";
const styleOf = (name: string): string => JSON.stringify(seriesStyles([name])[0]);
const colorOf = (name: string): string => seriesStyles([name])[0]!.color;

interface Layer {
  readonly mark?: { readonly type: string };
  readonly layer?: readonly Layer[];
  readonly encoding: {
    readonly color: { readonly scale: { readonly domain: string[]; readonly range: string[] } };
  };
}

/** Colors by name, as the scale of a chart's lines gives them. */
function drawnColors({ layer }: VegaLiteSpec): Record<string, string> {
  const parts = (layer as Layer[]).flatMap((part) => part.layer ?? part);
  const { domain, range } = parts.find(({ mark }) => mark?.type === "line")!.encoding.color.scale;
  return Object.fromEntries(domain.map((name, i) => [name, range[i]!]));
}

const run = (values: number[]): { update: number; metrics: Record<string, number> }[] =>
  values.map((value, i) => ({ update: i + 1, metrics: { "return/exact": value } }));

describe("one style for one rule", () => {
  it("is no other rule's, and keeps the entries that readers have learned", () => {
    const all = recipeNames.map((name) => {
      assert.notEqual(
        ruleColor(name),
        undefined,
        `${name} needs a place in lib/turnwise/src/plot/ruleStyle.ts`,
      );
      return styleOf(name);
    });
    assert.equal(new Set(all).size, recipeNames.length);
    assert.deepEqual(["grpo", "seeUpo", "ppo", "rloo", "reinforce", "drGrpo", "dapo", "gspo"].map(colorOf), [
      "#4080E0",
      "#009E73",
      "#CC79A7",
      "#F02454",
      "#4080E0",
      "#CC79A7",
      "#009E73",
      "#F02454",
    ]);
  });

  it("has a contrast of 3:1 on every ground, and hues that all eyes tell apart, also from orange", () => {
    const hues = [...new Set([...recipeNames.map(colorOf), orange])];
    assert.equal(hues.length, 5);
    for (const [i, a] of hues.entries()) {
      for (const ground of ["#ffffff", "#111111", "#333333"]) {
        assert.ok(contrast(a, ground) >= 3, `${a} on ${ground}: ${contrast(a, ground)}`);
      }
      for (const b of hues.slice(i + 1)) {
        for (const [name, vision] of Object.entries(visions)) {
          const far = seenDifference(a, b, vision);
          assert.ok(far > 14, `${a} and ${b}, ${name}: ${far}`);
        }
      }
    }
  });

  it("tells rules that are often compared apart without colors, by the dash", () => {
    const dashes = ["grpo", "seeUpo", "ppo", "rloo"].map((name) => String(seriesStyles([name])[0]!.dash));
    assert.equal(new Set(dashes).size, 4);
  });

  it("is the same in any company and order, by the recipe's name or its title, with more behind it", () => {
    for (const name of recipeNames) {
      const company = ["mine", "sapo", name, "yours"].filter((one, i, all) => all.indexOf(one) === i);
      assert.equal(JSON.stringify(seriesStyles(company)[company.indexOf(name)]), styleOf(name), name);
      assert.equal(styleOf(citations[name].title), styleOf(name), citations[name].title);
    }
    for (const label of [
      "GRPO",
      "grpo, G = 8",
      "GRPO (2)",
      "grpo: no std",
      "recipe=grpo groups=4",
      "env=a, recipe=grpo",
    ]) {
      assert.equal(colorOf(label), colorOf("grpo"), label);
    }
    for (const label of ["reinforced", "no filter", "run", "grpo without std", ""]) {
      const [style] = seriesStyles([label, "ppo"]);
      assert.equal(style!.color, orange, `"${label}" is no rule's name`);
    }
  });

  it("gives series of one rule its color and dashes of their own, the plain one first", () => {
    const [variant, plain, other] = seriesStyles(["grpo, G = 8", "grpo", "grpo, G = 16"]);
    assert.equal(new Set([variant!.color, plain!.color, other!.color]).size, 1);
    assert.equal(new Set([variant, plain, other].map((style) => String(style!.dash))).size, 3);
  });

  it("gives other series what is left, orange first; alone they have the colors of series", () => {
    const colors = seriesStyles(["a", "grpo", "b", "c", "d", "e"]).map(({ color }) => color);
    assert.deepEqual(colors, [orange, "#4080E0", "#009E73", "#CC79A7", "#F02454", orange]);
    const all = seriesStyles(["a", "grpo", "b", "c", "d", "e"]).map((style) => JSON.stringify(style));
    assert.equal(new Set(all).size, 6);
    assert.deepEqual(
      seriesStyles(["a", "b"]).map(({ color }) => color),
      ["#4080E0", orange],
    );
  });

  it("is worn in curves, paths, estimates and tables of sweeps", () => {
    const curve = learningCurve({ mine: run([0, 1]), seeUpo: run([0, 2]) }, { metric: "return/exact" });
    assert.deepEqual(drawnColors(curve.spec), { mine: orange, seeUpo: colorOf("seeUpo") });
    const arrows = [{ x: 0, y: 0, dx: 1, dy: 1, gain: 1 }];
    const path = [{ x: 0, y: 0 }, { x: 1, y: 1 }]; // prettier-ignore
    const phase = phaseChart(arrows, {
      title: "t",
      xTitle: "x",
      yTitle: "y",
      paths: { rloo: path, grpo: path },
    });
    assert.deepEqual(drawnColors(phase.spec), { rloo: colorOf("rloo"), grpo: colorOf("grpo") });
    const one = { mean: 1, low: 0, high: 2 };
    const estimates = estimateChart([{ label: "Dr. GRPO", ...one }, { label: "mine", ...one }], { title: "t", xTitle: "x" }); // prettier-ignore
    const { values } = (estimates.spec.layer as { data: { values: { bar: string; point: string }[] } }[])[1]!
      .data;
    assert.deepEqual(values.map(({ bar, point }) => [bar, point]), [[colorOf("drGrpo"), colorOf("drGrpo")], [orange, orange]]); // prettier-ignore
    const cell = { label: "rloo", done: 1, planned: 2, failed: 0, state: "running", metric: undefined };
    const progress = { cells: [cell, { ...cell, label: "x" }], metric: "m", done: 1, planned: 4, failed: 0 };
    const shown = sweepTable({ progress: progress as never, onProgress: () => () => undefined });
    const html = String((shown as unknown as Record<symbol, () => Record<string, string>>)[Symbol.for("Jupyter.display")]!()["text/html"]); // prettier-ignore
    assert.match(
      html,
      new RegExp(`<span aria-hidden="true" style="color:${colorOf("rloo")}">■</span> rloo</td>`),
    );
    assert.match(html, /<td style="text-align:left">x<\/td>/);
  });
});

describe("the single runs of an estimate", () => {
  interface Dots {
    readonly layer: { data: { values: { run: number; shift: number; dot: string }[] } }[];
    readonly height: { step: number };
  }
  const estimate = (runs: number[], count = 1): Dots =>
    estimateChart(
      Array.from({ length: count }, (_, i) => ({ label: `rule ${i}`, mean: 0.5, low: 0.3, high: 0.7, runs })),
      { title: "t", xTitle: "x", domain: [0, 1] },
    ).spec as unknown as Dots;

  it("are dots at their values, none on top of another, below the mean, so that two peaks show", () => {
    const peaks = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 0 : 1));
    const dots = estimate(peaks).layer[0]!.data.values;
    assert.deepEqual(dots.map(({ run }) => run), peaks); // prettier-ignore
    assert.equal(new Set(dots.map(({ run, shift }) => `${run} ${shift}`)).size, 40);
    for (const { shift } of dots)
      assert.ok(shift > 0 && shift < 18, `${shift} px below the middle of the row`);
  });

  it("have less room where there are many rows, so that all fit on a screen", () => {
    assert.equal(estimate([0, 1]).height.step, 42);
    assert.equal(estimate([0, 1], 16).height.step, 30); // 480 / 16
    assert.equal(estimate([0, 1], 40).height.step, 24);
  });
});
