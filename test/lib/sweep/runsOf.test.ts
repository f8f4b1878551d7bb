import assert from "node:assert/strict";
import { estimateChart, learningCurve, sweep, table, toDataFrame, train, trainSeeds } from "turnwise";
import { runsOf } from "turnwise/internal/sweep/runsOf";

const record = (update: number, y: number) => ({ update, metrics: { "reward/mean": y } });
const one = [record(1, 0), record(2, 1)];
const other = [record(1, 1), record(2, 2)];
const seeds = { label: "grpo", seeds: [3, 5], runs: [one, other] };
const swept = (cell: object, seed: number, records: unknown) => ({
  key: "",
  cell,
  seed,
  value: { records },
  seconds: 0,
});
const results = [
  swept({ recipe: "grpo" }, 0, one),
  swept({ recipe: "rloo" }, 0, other),
  swept({ recipe: "grpo" }, 1, other),
];
const shape = (given: unknown) =>
  runsOf(given, "draw").map(({ series, seed, records }) => [
    series,
    seed,
    records.map(({ update }) => update),
  ]);

describe("runs in whatever shape they are at hand", () => {
  it("are one run's records, or several by the series and seed that records name", () => {
    assert.deepEqual(shape(one), [["run", undefined, [1, 2]]]);
    const named = [
      { ...record(1, 0), seed: 3 },
      { ...record(1, 0), seed: 5 },
      { ...record(2, 0), seed: 3 },
      { ...record(1, 0), seed: 3, series: "rloo" },
    ];
    assert.deepEqual(shape(named), [
      ["run", 3, [1, 2]],
      ["run", 5, [1]],
      ["rloo", 3, [1]],
    ]);
  });

  it("are what several calls of trainSeeds() give, by their labels, numbered where these are the same", () => {
    const rloo = { label: "rloo", seeds: [0], runs: [one] };
    assert.deepEqual(
      shape([seeds, rloo, { ...rloo, seeds: [7] }]).map(([series, seed]) => [series, seed]),
      [
        ["grpo", 3],
        ["grpo", 5],
        ["rloo", 0],
        ["rloo (2)", 7],
      ],
    );
    assert.match(
      learningCurve([seeds, rloo], { metric: "reward/mean" }).spec.description as string,
      /grpo ends at 1\.500 .* rloo ends at 1\.000/,
    );
  });

  it("are a list of runs, what trainSeeds() gives, or what sweep() gives, a series for each setting", () => {
    assert.deepEqual(shape([one, other]), [
      ["run", undefined, [1, 2]],
      ["run", undefined, [1, 2]],
    ]);
    assert.deepEqual(shape(seeds), [
      ["grpo", 3, [1, 2]],
      ["grpo", 5, [1, 2]],
    ]);
    const bySetting = [
      ["grpo", 0, [1, 2]],
      ["rloo", 0, [1, 2]],
      ["grpo", 1, [1, 2]],
    ];
    assert.deepEqual(shape({ results, stopped: false }), bySetting);
    assert.deepEqual(shape(results), bySetting);
    assert.deepEqual(shape([swept({ recipe: "grpo", groups: 4 }, 0, one)]), [
      ["recipe=grpo groups=4", 0, [1, 2]],
    ]);
  });

  it("are several of these by name; the settings of a sweep keep their own names behind it", () => {
    assert.deepEqual(
      shape({ mine: seeds, alone: one, listed: [one], swept: { results } }).map(([series, seed]) => [
        series,
        seed,
      ]),
      [
        ["mine", 3],
        ["mine", 5],
        ["alone", undefined],
        ["listed", undefined],
        ["swept, grpo", 0],
        ["swept, rloo", 0],
        ["swept, grpo", 1],
      ],
    );
  });

  const wanted = "must be records, a list of runs, what trainSeeds or sweep gives, or these by name, got";
  const wrong: readonly [string, unknown, string][] = [
    ["a promise", Promise.resolve(seeds), `the runs ${wanted} a promise (did you forget await?).`],
    [
      "a promise by name",
      { grpo: Promise.resolve() },
      `grpo of the runs ${wanted} a promise (did you forget await?).`,
    ],
    ["a text", "x.csv", `the runs ${wanted} "x.csv".`],
    ["nothing", undefined, `the runs ${wanted} undefined.`],
    ["a function", () => one, `the runs ${wanted} a function.`],
    ["numbers", [0.5, 1], `the runs ${wanted} a list whose first entry is 0.5.`],
    [
      "metrics alone",
      { grpo: { "reward/mean": 1 } },
      `grpo of the runs ${wanted} an object with reward/mean.`,
    ],
  ];
  for (const [what, given, sentence] of wrong) {
    it(`are not ${what}, which is refused with a sentence`, () => {
      assert.throws(() => runsOf(given, "draw"), {
        name: "TypeError",
        message: `Cannot draw: ${sentence}`,
      });
    });
  }

  it("need records in a sweep's results: the refusal shows the line to add", () => {
    assert.throws(() => runsOf({ results: [swept({}, 0, undefined)] }, "draw"), {
      name: "RangeError",
      message:
        /^Cannot draw: the results of a sweep must hold records.*\. Add curves: \["return\/exact"\] to its options\.$/,
    });
  });
});

describe("charts and tables of runs", () => {
  const values = (chart: { spec: object }): Record<string, unknown>[] =>
    (chart.spec as { data: { values: Record<string, unknown>[] } }).data.values;

  it("draw the same curve of seeds as they are and of their runs by name", () => {
    const options = { metric: "reward/mean" };
    assert.deepEqual(learningCurve(seeds, options).spec, learningCurve({ grpo: [one, other] }, options).spec);
    assert.deepEqual(
      values(learningCurve(one, options)).map(({ series, x, y }) => [series, x, y]),
      [
        ["run", 1, 0],
        ["run", 2, 1],
      ],
    );
  });

  it("draw what a real sweep with curves and real seeds give", async () => {
    const setting = { env: "LookUp-v0", updates: 3, groups: 2, groupSize: 4 } as const;
    const run = sweep({
      ...setting,
      recipe: ["grpo", "rloo"],
      seeds: 2,
      workers: 0,
      curves: ["reward/mean"],
    });
    const outcome = await run;
    const all = await trainSeeds({ ...setting, recipe: "grpo" }, 2);
    const chart = learningCurve({ swept: outcome, seeds: all }, { metric: "reward/mean" });
    const of = (name: string) =>
      values(chart)
        .filter(({ series }) => series === name)
        .map(({ y }) => y);
    assert.equal(of("swept, rloo").length, 3);
    assert.deepEqual(of("swept, grpo"), of("seeds"));
    assert.deepEqual(
      learningCurve(run, { metric: "reward/mean" }).spec,
      learningCurve(outcome, { metric: "reward/mean" }).spec,
    );
  });

  it("estimate the end of each series with its seeds as ticks", () => {
    const chart = estimateChart({ grpo: seeds, rloo: [one] }, { metric: "reward/mean", last: 2 });
    const [ticks, , means] = chart.spec["layer"] as { data: { values: Record<string, unknown>[] } }[];
    // Means of the last two records: (0 + 1)/2 = .5 and (1 + 2)/2 = 1.5, whose mean is 1.
    assert.deepEqual(
      ticks!.data.values.map(({ label, run }) => [label, run]),
      [
        ["grpo", 0.5],
        ["grpo", 1.5],
        ["rloo", 0.5],
      ],
    );
    assert.deepEqual(
      means!.data.values.map(({ label, mean }) => [label, mean]),
      [
        ["grpo", 1],
        ["rloo", 0.5],
      ],
    );
    assert.throws(() => estimateChart(seeds as never, { title: "t", xTitle: "x" }), {
      message: 'Cannot draw estimates of runs: the options must name a metric. Add metric: "reward/mean".',
    });
    assert.throws(
      () => estimateChart(seeds, { metric: "reward" }),
      /^RangeError: Cannot summarize "reward": the last 1/,
    );
    assert.throws(
      () => estimateChart(seeds, { metric: "reward/mean", titel: "x" } as never),
      /Did you mean "title"\?$/,
    );
  });

  it("show every record of one run as a row of a table, and the last one of each of several", () => {
    assert.deepEqual(table(one).rows, [
      { update: 1, "reward/mean": 0 },
      { update: 2, "reward/mean": 1 },
    ]);
    assert.deepEqual(table(seeds).rows, [
      { series: "grpo", seed: 3, update: 2, "reward/mean": 1 },
      { series: "grpo", seed: 5, update: 2, "reward/mean": 2 },
    ]);
    assert.deepEqual(table([{ rule: "grpo" }]).rows, [{ rule: "grpo" }]);
    assert.throws(
      () => table(Promise.resolve() as never),
      /^TypeError: Cannot show a table: .*did you forget await\?\)\.$/,
    );
  });

  it("put series and seed into a data frame where runs are told apart by them", async () => {
    const frame = await toDataFrame({ grpo: seeds, rloo: [one] });
    assert.deepEqual(frame.columns, ["series", "seed", "update", "reward/mean"]);
    assert.deepEqual(frame.shape, [6, 4]);
    const records = [];
    for await (const r of train({ env: "LookUp-v0", recipe: "grpo", updates: 2, groups: 1, groupSize: 2 }))
      records.push(r);
    assert.deepEqual((await toDataFrame(records)).columns.slice(0, 4), [
      "update",
      "samples",
      "optimizerSteps",
      "seconds",
    ]);
  });
});
