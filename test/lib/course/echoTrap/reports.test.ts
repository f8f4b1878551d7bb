import assert from "node:assert/strict";
import { heatMap } from "turnwise";
import {
  collapsePhase,
  eventOrder,
  leverMatrix,
  leverMatrixChart,
  leverSweep,
  leverSweepChart,
  ragenReport,
  storedRagenRuns,
  type StoredRun,
} from "turnwise-course/echo-trap";
import { storedRun } from "../storedRun";

/** The run of a group that failed alike from its first update on. */
const run = (cells: Partial<StoredRun>): StoredRun =>
  storedRun({
    maxGradNorm: 0,
    turns: 3,
    entropy: 0,
    topShare: 0.2,
    fracZeroStd: 1,
    samples: 32000,
    optimizerSteps: 12000,
    ...cells,
  });

describe("order of events", () => {
  it("counts who was first, what came before drops and before none, and who came back", () => {
    const windows = { windows: 20, burstWindows: 5, spikeWindows: 0 };
    const order = eventOrder([
      run({ entropyCliff: 4, stdCliff: 6, burst: 78, onset: 88, fall: 90, collapsed: true, ...windows }),
      run({ entropyCliff: 7, stdCliff: 5, burst: 17, onset: 28, fall: 31 }),
      run({ entropyCliff: 5, stdCliff: 5, ...windows, burstWindows: 15 }),
      run({ stdCliff: 9, onset: 45, fall: 50 }),
    ]);
    assert.deepEqual(
      [order.entropyFirst, order.stdFirst, order.together, order.fell, order.recovered],
      [1, 1, 1, 3, 2],
    );
    // The burst at 17 is 11 updates before the drop at 28; the last drop had none. One fall has windows, of which a quarter has
    // a burst; with the run that held it is half.
    assert.deepEqual(order.burst, { before: 1, pairs: [{ before: 1, base: 0.25 }], base: 0.5 });
    assert.deepEqual(order.spike, { before: 0, pairs: [{ before: 0, base: 0 }], base: 0 });
    const std = order.events.find(({ event }) => event === "stdCliff")!;
    // 5 5 6 9: quartiles at places .75 and 2.25, rounded to 1 and 2.
    assert.deepEqual([std.at, std.median, std.low, std.high], [[5, 5, 6, 9], 5.5, 5, 6]);
    assert.equal(std.label, "in-group std below .05 (4 of 4)");
    assert.deepEqual(eventOrder([run({})]).events, []);
  });
});

describe("collapse against learning rate and reuse", () => {
  it("counts collapses by cell, with the corners that are cells of the matrix, and no other run", () => {
    const at = (change: string, optimizerSteps: number, collapsed: boolean): StoredRun =>
      run({ change, optimizerSteps, collapsed, fall: 40 });
    assert.deepEqual(
      collapsePhase([
        at("", 12000, true),
        at("", 12000, false),
        run({ lever: "1 step per batch", optimizerSteps: 500 }),
        at("adam=0.03 epochs=2 minibatches=2", 2000, false),
        at("from=20", 12000, true),
        run({ lever: "GSPO" }),
        run({ trap: "sane", change: "adam=0.1" }),
      ]),
      [
        { learningRate: 0.03, steps: 4, runs: 1, collapsed: 0, fell: 1 },
        { learningRate: 0.3, steps: 1, runs: 1, collapsed: 0, fell: 0 },
        { learningRate: 0.3, steps: 24, runs: 2, collapsed: 1, fell: 2 },
      ],
    );
  });
});

describe("the matrix of levers and traps", () => {
  const rows = (["vanilla", "SGD", "GSPO"] as const).flatMap((lever, k) =>
    Array.from({ length: 40 }, (_, seed) =>
      run({
        lever,
        seed,
        final: [0.5, 0.99, 0.4][k]! + 0.001 * (seed % 4),
        stoppedAt: lever === "GSPO" && seed < 4 ? 30 : null,
      }),
    ),
  );

  it("has a cell for every lever that was measured, and says what it found in words", () => {
    const matrix = leverMatrix(rows);
    assert.deepEqual(
      matrix.map(({ trap, lever, word }) => [trap, lever, word]),
      [
        ["reuse", "SGD", "fixes"],
        ["reuse", "GSPO", "hurts"],
      ],
    );
    const { summary } = leverMatrixChart(matrix);
    assert.match(
      summary,
      /SGD, A reuse: \+\+ {2}\+0\.49 \[\+0\.\d\d, \+0\.\d\d\]; GSPO, A reuse: - {2}-0\.10 \[-0\.10, -0\.10\] {2}x4\.$/,
    );
  });

  it("has the points of a sweep in the order that it is given, vanilla first", () => {
    const sweep = [...rows, ...rows.map((each) => ({ ...each, change: "adam=0.1" }))];
    const points = leverSweep(sweep, "reuse", { ".3": "", ".1": "adam=0.1", ".03": "adam=0.03" });
    assert.deepEqual(
      points.map(({ lever, setting }) => `${lever} ${setting}`),
      ["vanilla .3", "vanilla .1", "SGD .3", "SGD .1", "GSPO .3", "GSPO .1"],
    );
    const o = { title: "t", subtitle: "s", columnTitle: "rate", columns: [".1", ".3"] };
    assert.match(
      leverSweepChart(points, o).summary,
      /^t\. Rows lever, columns rate\. GRPO, \.1: 0\.50 \[0\.50, 0\.50\]; .*GSPO, \.1: 0\.40 \[0\.40, 0\.40\] x4; GRPO, \.3/,
    );
  });

  it("keeps the order of the rows that it is given", () => {
    const cells = ["b", "a"].map((row) => ({ row, column: "c", value: 1 }));
    const order = (chart: ReturnType<typeof heatMap>): unknown =>
      (chart.spec.encoding as { y: { sort: unknown } }).y.sort;
    const o = { title: "t", columnTitle: "c", rowTitle: "r", scale: "sign" } as const;
    assert.deepEqual(order(heatMap(cells, o)), ["b", "a"]);
    assert.deepEqual(order(heatMap(cells, { ...o, rows: ["a", "b"] })), ["a", "b"]);
  });
});

describe("RAGEN's environments", () => {
  it("sums up stored runs by environment and row", () => {
    const csv =
      "env,row,seed,start,final,peak,peakAt,stdCliff,entropyCliff,fall,spikeAt,entropy,topShare,q1,q2,q3,q4\n" +
      "BiArmBandit-v0,grpo,0,0.2,0.1,0.3,40,20,,60,9,0.1,0.5,0.2,0.28,0.2,0.1\n" +
      "BiArmBandit-v0,grpo,1,0.2,0.2,0.3,40,90,,80,9,0.1,0.7,0.2,0.24,0.2,0.2\n" +
      "BiArmBandit-v0,starPo,0,0.2,0.3,0.3,40,,,70,9,0.1,0.5,0.2,0.25,0.25,0.26\n";
    const [ppo, grpo] = ragenReport(storedRagenRuns(csv));
    assert.deepEqual([ppo!.row, ppo!.fell, ppo!.silent, ppo!.silentAt], ["starPo", 0, 0, null]);
    // .1 is below three quarters of .28; .2 is not below those of .24.
    assert.deepEqual([grpo!.runs, grpo!.fell, grpo!.silent, grpo!.silentAt], [2, 1, 2, 55]);
    // (.1 - .28 + .2 - .24) / 2
    assert.ok(Math.abs(grpo!.change.mean + 0.11) < 1e-12);
    assert.ok(Math.abs(grpo!.final.mean - 0.15) < 1e-12);
  });
});
