import assert from "node:assert/strict";
import { drawLearningBySearch } from "turnwise-course/search-and-world-models";
import { measured, storedTable, type StoredRecord } from "turnwise-course";

interface Panel {
  readonly title: { readonly text: string } | string;
  readonly data: { readonly values: readonly Readonly<Record<string, number | string>>[] };
  readonly layer: readonly {
    readonly mark: { readonly type: string };
    readonly data?: { readonly values: readonly Readonly<Record<string, number | string>>[] };
  }[];
}

const panelsOf = (rows: readonly StoredRecord[]): readonly Panel[] =>
  drawLearningBySearch(rows).spec["vconcat"] as readonly Panel[];
const dotsOf = (panel: Panel): readonly Readonly<Record<string, number | string>>[] =>
  panel.layer.find(({ mark }) => mark.type === "point")!.data!.values;

const row = (world: string, arm: string, seed: number, steps: number, score: number): StoredRecord => ({
  world,
  arm,
  seed,
  steps,
  score,
});
const both = (world: string): StoredRecord[] => [
  row(world, "expert iteration", 0, 1000, 0.2),
  row(world, "expert iteration", 0, 2000, 0.6),
  row(world, "expert iteration", 1, 1003, 0.4),
  row(world, "expert iteration", 1, 2001, 1),
  row(world, "grpo", 0, 1000, 0.1),
];

describe("drawLearningBySearch()", () => {
  it("draws the mean over seeds at each point, in a panel for each world, and a dot where each seed ends", () => {
    const panels = panelsOf([...both("Codebreaker"), ...both("ApiChain")]);
    assert.deepEqual(
      panels.map(({ title }) => title),
      ["Codebreaker", "ApiChain"],
    );
    for (const panel of panels) {
      const points = panel.data.values.map(({ series, x, y }) => [series, x, y]);
      // (.2 + .4) / 2 and (.6 + 1) / 2, with steps 1000 and 1003 at one point.
      assert.deepEqual(points, [
        ["expert iteration", 1, 0.30000000000000004],
        ["expert iteration", 2, 0.8],
        ["GRPO", 1, 0.1],
      ]);
      assert.deepEqual(
        dotsOf(panel).map(({ series, x, y }) => [series, x, y]),
        [
          ["expert iteration", 2, 0.6],
          ["expert iteration", 2, 1],
          ["GRPO", 1, 0.1],
        ],
      );
    }
  });

  it("shows of the stored runs what the lesson says in words", () => {
    const stored = ["searched-expert", "searched-grpo"].flatMap((name) => storedTable(measured(name)));
    const [codebreaker, apiChain] = panelsOf(stored).map(dotsOf);
    for (const [dots, solved] of [
      [codebreaker!, 36],
      [apiChain!, 37],
    ] as const) {
      const taught = dots.filter(({ series }) => series === "expert iteration").map(({ y }) => Number(y));
      assert.equal(taught.length, 40);
      assert.equal(taught.filter((y) => y > 0.9).length, solved);
      assert.ok(taught.every((y) => y > 0.85));
    }
    const grpo = (dots: typeof codebreaker): number[] =>
      dots!.filter(({ series }) => series === "GRPO").map(({ y }) => Number(y));
    assert.deepEqual(
      grpo(apiChain),
      Array.from({ length: 40 }, () => 0),
    );
    // Three of forty have begun to climb; a random agent is at about .1.
    assert.equal(grpo(codebreaker).filter((y) => y > 0.2).length, 3);
  });

  it("says which rows are missing", () => {
    assert.throws(
      () => drawLearningBySearch(both("Codebreaker")),
      /Cannot draw how expert iteration learns: there must be a row of ApiChain, got none/,
    );
  });
});
