// Uses internals of turnwise-kernel/process.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { descendants } from "turnwise-kernel/dist/process/descendants.js";
import { goalsTable } from "./goals.js";
import { endAll } from "./kernel/endAll.js";
import type { Figure } from "./record.js";
import { updateTable } from "./updateTable.js";
import { until } from "../support/process.js";

const figure = (work: string, contender: string, wall: number, processor = wall): Figure => ({
  ...{ work, contender, wall, processor },
});

describe("tables of the benchmarks", () => {
  it("updates: a column for each contender that was there, and ratios to the better of our threads", () => {
    const figures = [
      ...[figure("mlp 64", "fused", 2), figure("mlp 64", "fused 2T", 4), figure("mlp 64", "torch 1T", 6)],
      ...[figure("gru 64", "fused", 3), figure("gru 64", "fused 2T", 2), figure("gru 64", "torch 1T", 5)],
      figure("gru 64", "JAX jit", 1),
    ];
    // 6 / 2 = 3 on one thread; 5 / 2 = 2.5 and 1 / 2 = 0.5 on two.
    assert.equal(
      updateTable(figures),
      [
        "| samples | ours 1T | ours 2T | torch 1T | JAX jit | torch 1T / ours | JAX jit / ours |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| mlp, 64 | 2 | 4 | 6 |  | 3 |  |",
        "| gru, 64 | 3 | 2 | 5 | 1 | 2.5 | 0.5 |",
      ].join("\n"),
    );
  });

  it("goals: the better of one and two threads on both sides, and no row of what was not measured", () => {
    const update = [
      ...[figure("mlp 64", "fused", 2), figure("mlp 64", "fused 2T", 1)],
      ...[figure("mlp 64", "torch 1T", 9), figure("mlp 64", "torch 2T", 7)],
      ...[figure("gru 64", "fused", 1), figure("gru 64", "fused 2T", 1), figure("gru 64", "torch 1T", 30)],
    ];
    const step = "table of 64 x 8, 2048 samples";
    const rows = goalsTable(
      new Map([
        ["update", update],
        // Processor time counts: 3 / 2, whatever the clock says.
        [
          "tabular",
          [figure(step, "turnwise", 9, 2), figure(step, "NumPy, with the trainer's metrics", 1, 3)],
        ],
        ["endToEnd", [figure("a", "turnwise", 1), figure("a", "PyTorch", 9), figure("b", "turnwise", 1), figure("b", "PyTorch", 4)]], // prettier-ignore
        ["sweep", [figure("first sweep", "one thread", 17), figure("first sweep", "two workers", 10)]],
      ]),
    );
    assert.equal(
      rows,
      [
        "| times as fast | goal | measured |  |",
        "| --- | --- | --- | --- |",
        "| update mlp 64, over PyTorch | 6 | 7 | reached |",
        "| tabular step, over NumPy on equal work | 2 | 1.5 | not reached |",
        "| end to end, least of all rows, over PyTorch | 4 | 4 | reached |",
        "| first sweep on two workers, over one thread | 1.7 | 1.7 | reached |",
      ].join("\n"),
    );
    assert.equal(goalsTable(new Map()), "");
  });

  it("kernels: what a kernel has started ends with it", async () => {
    // Prints once its own child runs.
    const script =
      "const { spawn } = require('child_process'); const own = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)']);" +
      "own.on('spawn', () => console.log('there')); setInterval(() => 0, 1e6)";
    const kernel = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(kernel.stdout, "data");
    const started = descendants(kernel.pid!);
    assert.equal(started.length, 1);
    const closed = once(kernel, "exit");
    await endAll({
      pid: kernel.pid!,
      kill: async () => {
        kernel.kill("SIGKILL");
        await closed;
      },
    });
    // A process that was killed stays in the table for the moment until it is reaped.
    const alive = (): boolean => {
      try {
        process.kill(started[0]!, 0);
        return true;
      } catch {
        return false;
      }
    };
    await until("the end of the process", () => !alive());
  }).timeout(60_000);
});
