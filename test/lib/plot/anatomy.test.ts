import assert from "node:assert/strict";
import { anatomyChart, renderSvg } from "turnwise/plot";

interface Drawn {
  readonly vconcat: readonly {
    readonly layer: readonly { readonly data: { readonly values: readonly object[] } }[];
  }[];
}

describe("anatomyChart()", () => {
  const success = Array.from({ length: 40 }, (_, i) => (i < 30 ? 1 : 0));
  const gradient = Array.from({ length: 40 }, (_, i) => (i < 10 || i === 29 ? 0.1 : 0));

  it("draws panels, leaves gaps where a logarithm has nothing to show, and numbers what happened", async () => {
    const chart = anatomyChart(
      [
        { title: "success", values: success },
        { title: "gradient", values: gradient, log: true },
      ],
      {
        title: "One run",
        events: [
          { update: 30, label: "burst" },
          { update: 30, label: "fall" },
        ],
      },
    );
    assert.match(
      chart.summary,
      /^One run, 40 updates\. success between 0\.00 and 1\.00; gradient between 0\.100 and 0\.100\./,
    );
    assert.match(chart.summary, /Events: 1 burst, update 30; 2 fall, update 30\.$/);
    const [first, second] = (chart.spec as unknown as Drawn).vconcat;
    assert.deepEqual(first!.layer[0]!.data.values, [{ update: 30, numbers: "1, 2" }]);
    const pieces = second!.layer.at(-1)!.data.values as { update: number; piece: number }[];
    assert.equal(pieces.length, 11);
    assert.deepEqual([pieces[0]!.piece, pieces.at(-1)], [0, { update: 30, value: 0.1, piece: 1 }]);
    const svg = await renderSvg(chart.spec);
    assert.match(svg, /burst, update 30/);
    assert.doesNotMatch(svg, /NaN|Infinity/);
  });

  it("leaves out a panel without values, and refuses a chart without panels", () => {
    const chart = anatomyChart(
      [
        { title: "success", values: success },
        { title: "gone", values: [NaN, undefined, Infinity] },
        { title: "silent", values: [0, 0], log: true },
      ],
      { title: "One run" },
    );
    assert.equal((chart.spec as unknown as Drawn).vconcat.length, 1);
    assert.throws(() => anatomyChart([{ title: "gone", values: [NaN] }], { title: "x" }), {
      name: "RangeError",
      message: "Cannot draw an anatomy: a panel must have finite values.",
    });
  });
});
