import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  bootstrapInterval,
  calibrate,
  echoTrapRun,
  EchoTrapMonitor,
  leverEffect,
  median,
  monitor,
  recordsFromJsonl,
  scoreAlarm,
  storedRuns,
  storedWatches,
  watchRun,
  type AlarmName,
  type LeverName,
  type MonitorRecord,
  type StoredRun,
  type TrapName,
} from "turnwise";
import { root } from "../support/paths.js";
import { claimOf, storedLedger } from "./storedLedger";

const measuredFile = (name: string): string =>
  fs.readFileSync(path.join(root, "datasets", "measured", `${name}.csv`), "utf8");
const shown = (e: { mean: number; low: number; high: number }): string =>
  `${e.mean.toFixed(2)} [${e.low.toFixed(2)}, ${e.high.toFixed(2)}]`;

describe("the ledger of notebook 03", () => {
  const rows = storedLedger("03-echo-trap");
  const runs = storedRuns(measuredFile("echo-trap"));
  const of = (trap: TrapName, lever: LeverName = "vanilla"): readonly StoredRun[] =>
    runs.filter((r) => r.trap === trap && r.lever === lever && r.change === "");
  const text = (words: string): string => claimOf(rows, words).measured;
  const has = (words: string, expected: string): void =>
    assert.ok(text(words).includes(expected), `${expected} in: ${text(words)}`);

  it("ranks nothing on fewer than 20 seeds", () => {
    const cells = new Map<string, number>();
    for (const { trap, lever, change } of runs) {
      const cell = [trap, lever, change].join(" | ");
      cells.set(cell, (cells.get(cell) ?? 0) + 1);
    }
    assert.deepEqual(
      [...cells].filter(([, n]) => n < 20),
      [],
    );
  });

  it("holds the ends of the four settings", () => {
    for (const [trap, label] of [
      ["sane", "sane"],
      ["reuse", "A"],
      ["cost", "B"],
      ["mismatch", "C"],
    ] as const) {
      has("Multi-turn GRPO", `${label} ${shown(bootstrapInterval(of(trap).map((r) => r.final)))}`);
    }
    // The reference's intervals [D]: sane .98, A .606 +- .134, B .369 +- .016, C .398 +- .175.
    const mean = (trap: TrapName): number => bootstrapInterval(of(trap).map((r) => r.final)).mean;
    assert.ok(mean("sane") > 0.97);
    for (const [trap, low, high] of [
      ["reuse", 0.606 - 0.134, 0.606 + 0.134],
      ["cost", 0.369 - 0.016, 0.369 + 0.016],
      ["mismatch", 0.398 - 0.175, 0.398 + 0.175],
    ] as const) {
      const own = bootstrapInterval(of(trap).map((r) => r.final));
      assert.ok(own.low <= high && own.high >= low, `${trap}: ${shown(own)} against ${low} to ${high}`);
    }
  });

  it("holds the order of events, the bursts and the recoveries of trap A", () => {
    const A = of("reuse");
    has("In-group std falls first", `std below .05 at update ${median(A.map((r) => r.stdCliff!))}`);
    has(
      "In-group std falls first",
      `entropy first in ${A.filter((r) => r.entropyCliff! < r.stdCliff!).length} of 20`,
    );
    const fallen = A.filter((r) => r.fall !== null);
    const near = fallen.filter((r) => r.burst !== null && r.fall! - r.burst <= 10).length;
    has(
      "A gradient burst",
      `${fallen.length} of 20 runs fell at some time; the last KL burst was at most 10 updates before in ${near}`,
    );
    has("The fall is irreversible", `${fallen.filter((r) => !r.collapsed).length} were back above 75 %`);
  });

  it("holds the gradient norms", () => {
    const largest = (trap: TrapName): string =>
      Math.max(...of(trap).map((r) => r.maxGradNorm)).toPrecision(2);
    const middle = (trap: TrapName): string => median(of(trap).map((r) => r.maxGradNorm)).toPrecision(2);
    has(
      "Gradient spikes",
      `A ${middle("reuse")} (${largest("reuse")}), C ${middle("mismatch")} (${largest("mismatch")})`,
    );
  });

  it("holds every effect of a lever that it names, with its verdict", () => {
    let named = 0;
    const columns = { reuse: "A reuse", cost: "B cost", mismatch: "C mismatch" } as const;
    const all = rows.map((row) => row.measured).join("; ");
    for (const [trap, column] of Object.entries(columns) as [keyof typeof columns, string][]) {
      for (const lever of new Set(runs.map((r) => r.lever))) {
        if (!all.includes(`${lever} in ${column}:`)) continue;
        const { final, gain, verdict } = leverEffect(runs, trap, lever)!;
        const expected = `${lever} in ${column}: ${shown(final)}, gain ${shown(gain)}, ${verdict}`;
        assert.ok(all.includes(expected), `${expected} in: ${all}`);
        named += 1;
      }
    }
    assert.ok(named >= 4, String(named));
  });

  it("holds the figures of the alarms, scored on other seeds than they were calibrated on", () => {
    const endOf = (trap: TrapName, lever: LeverName, seed: number): number =>
      of(trap, lever).find((r) => r.seed === seed)?.final ?? 0;
    const watches = storedWatches(measuredFile("echo-trap-alarms"))
      .filter((w) => w.seed < 20)
      .filter((w) => w.run.fall !== null || endOf(w.trap, w.lever, w.seed) >= 0.9);
    const forChoice = ({ seed }: { seed: number }): boolean => seed % 2 === 1;
    const rungs = calibrate(watches.filter(forChoice).map((w) => w.run));
    const scored = watches.filter((w) => !forChoice(w)).map((w) => w.run);
    for (const rule of [
      "std cliff",
      "entropy cliff",
      "gradient spike",
      "KL burst",
      "unearned silence",
    ] as AlarmName[]) {
      const s = scoreAlarm(scored, rule, rungs[rule]);
      const expected =
        `${rule} at ${s.threshold}: foresees ${(100 * s.detected).toFixed(0)} %, lead ${s.leadTime ?? "none"}, ` +
        `false alarms ${(100 * s.falseAlarms).toFixed(0)} %`;
      has(
        rule === "std cliff" || rule === "entropy cliff" ? "In-group std warns" : "Some alarm tells",
        expected,
      );
    }
  });

  it("stored runs and alarm times are what the library computes now", async () => {
    const { final, peak, fall } = await echoTrapRun({ trap: "mismatch", lever: "vanilla", seed: 1 });
    const stored = of("mismatch").find((r) => r.seed === 1)!;
    assert.ok(Math.abs(final - stored.final) < 1e-5 && Math.abs(peak - stored.peak) < 1e-5);
    assert.equal(fall, stored.fall);
    const records: MonitorRecord[] = [];
    const calm = { trap: "reuse", lever: "1 step per batch", seed: 1 } as const;
    await echoTrapRun(calm, (metrics, update) => records.push({ update, metrics }));
    const watch = storedWatches(measuredFile("echo-trap-alarms")).find(
      (w) => w.trap === calm.trap && w.lever === calm.lever && w.seed === calm.seed,
    )!;
    assert.deepEqual(watchRun(records), watch.run);
  }).timeout(60_000);

  it("the log in RAGEN's names raises the alarms that the notebook shows", async () => {
    const watcher = new EchoTrapMonitor();
    const log = fs.readFileSync(path.join(root, "datasets", "logs", "ragen.jsonl"), "utf8");
    for await (const { alarms } of monitor(recordsFromJsonl(log, "ragen"), watcher)) void alarms;
    const notebook = fs.readFileSync(path.join(root, "notebooks", "03-echo-trap.ipynb"), "utf8");
    for (const line of watcher.toString().split("\n")) {
      assert.ok(notebook.includes(JSON.stringify(line).slice(1, -1)), line);
    }
  });
});
