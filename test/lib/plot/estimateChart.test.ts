import assert from "node:assert/strict";
import fc from "fast-check";
import * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { estimateChart } from "turnwise";

interface Item {
  readonly marktype?: string;
  readonly datum?: { readonly run?: number };
  readonly x?: number;
  readonly y?: number;
  readonly items?: readonly Item[];
}

/** The dots of single runs, as a browser draws them, with the scale of the axis. */
async function drawnDots(
  runs: readonly number[],
  domain?: readonly [number, number],
): Promise<{ readonly x: number; readonly y: number; readonly due: number }[]> {
  const mean = runs.reduce((sum, run) => sum + run, 0) / runs.length;
  const estimate = { label: "rule", mean, low: Math.min(...runs), high: Math.max(...runs), runs };
  const chart = estimateChart([estimate], { title: "Ends", xTitle: "return", ...(domain && { domain }) });
  const view = new vega.View(vega.parse(compile(chart.spec as unknown as TopLevelSpec).spec), {
    renderer: "none",
  });
  await view.runAsync();
  const scale = view.scale("x") as (value: number) => number;
  const dots: { x: number; y: number; due: number }[] = [];
  const visit = (item: Item): void => {
    const { run } = item.datum ?? {};
    if (run !== undefined) dots.push({ x: item.x!, y: item.y!, due: scale(run) });
    else for (const one of item.items ?? []) visit(one);
  };
  visit((view.scenegraph() as unknown as { root: Item }).root);
  view.finalize();
  return dots;
}

describe("the dots of an estimate chart", () => {
  it("are never drawn away from their values, however many lie on one", async () => {
    const value = fc.double({ min: 0, max: 1, noNaN: true });
    // Few values and many runs: piles that are full.
    const crowded = fc
      .array(value, { minLength: 1, maxLength: 3 })
      .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(crowded, async (runs) => {
        const dots = await drawnDots(runs, [0, 1]);
        assert.equal(dots.length, runs.length);
        for (const { x, due } of dots) assert.ok(Math.abs(x - due) < 1e-6, `${String(x)} for ${String(due)}`);
      }),
      { numRuns: 12 },
    );
  });

  it("stay in their own row, below the middle, where forty pile up", async () => {
    const dots = await drawnDots(
      Array.from({ length: 40 }, () => 0.998),
      [0.9, 1],
    );
    const heights = dots.map(({ y }) => y);
    // A row of 42 pixels has its middle at 21; the pile is centered 9 below it and reaches 7.2 to either side.
    assert.ok(
      Math.min(...heights) >= 21 + 1.8 - 1e-9 && Math.max(...heights) <= 21 + 16.2 + 1e-9,
      String(heights),
    );
    assert.equal(new Set(heights.map((y) => y.toFixed(6))).size, 40, "no dot hides another");
  });
});
