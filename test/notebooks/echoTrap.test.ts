import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { bootstrapInterval, difference, EchoTrapMonitor, median, monitor, recordsFromJsonl } from "turnwise";
import {
  echoTrapRun,
  eventOrder,
  leverEffect,
  leverMatrix,
  ragenEnvs,
  ragenReport,
  storedRagenRuns,
  storedRuns,
  type LeverName,
  type RagenLine,
  type StoredRun,
  type TrapName,
} from "turnwise/study";
import { root } from "../support/paths.js";
import { isAboutAlarms } from "./alarmRows";
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
  const touched = new Set<string>();
  const text = (words: string): string => {
    const { claim, measured } = claimOf(rows, words);
    touched.add(claim);
    return measured;
  };
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
    // Intervals of the earlier implementation: sane .98, A .606 +- .134, B .369 +- .016, C .398 +- .175.
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
    const order = eventOrder(of("reuse"));
    const at = (event: string): number => order.events.find((e) => e.event === event)!.median;
    has(
      "In-group std falls first",
      `std below .05 at update ${at("stdCliff")}, entropy below 25 % at ${at("entropyCliff")} (medians); ` +
        `entropy first in ${order.entropyFirst} of 20, at the same update in ${order.together}`,
    );
    has(
      "A gradient burst",
      `${order.fell} of 20 runs fell at some time; the last KL burst was at most 10 updates before in ${order.burstBefore}`,
    );
    has(
      "The fall is irreversible",
      `of ${order.fell} runs that fell, ${order.recovered} were back above 75 %`,
    );
  });

  it("holds the gradient norms", () => {
    const largest = (trap: TrapName): string =>
      Math.max(...of(trap).map((r) => r.maxGradNorm)).toPrecision(2);
    const middle = (trap: TrapName): string => median(of(trap).map((r) => r.maxGradNorm)).toPrecision(2);
    has(
      "Gradient spikes",
      `A ${middle("reuse")} (${largest("reuse")}), C ${middle("mismatch")} (${largest("mismatch")})`,
    );
    const spiked = (runs: readonly StoredRun[]): number =>
      runs.filter((r) => r.maxGradNorm > 10 * median(of("sane").map((one) => one.maxGradNorm))).length;
    const fell = of("mismatch").filter((r) => r.fall !== null);
    has(
      "Gradient spikes",
      `A ${spiked(of("reuse"))}, C ${spiked(of("mismatch"))} of 20, and of the ${fell.length} runs of C that fell ${spiked(fell)}`,
    );
  });

  it("holds every effect of a lever that it names, with its verdict", () => {
    const named = new Map<string, number>();
    const columns = { reuse: "A reuse", cost: "B cost", mismatch: "C mismatch" } as const;
    for (const { trap, lever, final, gain, verdict, stopped } of leverMatrix(runs)) {
      const column = columns[trap as keyof typeof columns];
      const outcome = verdict === "stops" ? `${stopped} of 20 stop on a loss that is not finite` : verdict;
      const expected = `${lever} in ${column}: ${shown(final)}, gain ${shown(gain)}, ${outcome}`;
      for (const row of rows) {
        if (!`; ${row.measured}`.includes(`; ${lever} in ${column}:`)) continue;
        assert.ok(row.measured.includes(expected), `${expected} in: ${row.measured}`);
        named.set(row.claim, (named.get(row.claim) ?? 0) + 1);
      }
    }
    for (const words of [
      "Dividing by the group's std",
      "SeeUPO prevents",
      "Filtering groups",
      "Turn-level importance ratios",
      "Turn ratio and clipping-triggered",
      "The same, gradient reading",
      "A KL penalty",
    ]) {
      const { claim, measured } = claimOf(rows, words);
      assert.equal(named.get(claim), measured.split("; ").length, claim);
      touched.add(claim);
    }
  });

  it("holds the filter under noisy rewards, and SO-PPO against PPO", () => {
    for (const [change, beta] of [
      ["", 1.5],
      ["beta=2", 2],
    ] as const) {
      for (const lever of ["filter 50 %", "filter 25 %"] as const) {
        const { final, gain } = leverEffect(runs, "noisyReward", lever, change)!;
        has("The filter helps", `beta ${beta}, ${lever}: ${shown(final)}, gain ${shown(gain)}`);
      }
    }
    const finals = (trap: TrapName, lever: LeverName): number[] => of(trap, lever).map((r) => r.final);
    for (const [trap, column] of [
      ["reuse", "A reuse"],
      ["cost", "B cost"],
    ] as const) {
      for (const lever of ["SO-PPO, KL", "SO-PPO, gradient"] as const) {
        const gap = difference(finals(trap, lever), finals(trap, "PPO (critic)"));
        has("SO-PPO is more stable", `${lever} minus PPO in ${column}: ${shown(gap)}`);
      }
    }
  });

  it("holds what became of RAGEN's three worlds", () => {
    const worlds = ragenReport(storedRagenRuns(measuredFile("ragen")));
    assert.equal(worlds.length, 9);
    const n = 20;
    for (const w of worlds) assert.equal(w.runs, n, `${w.env}, ${w.row}`);
    const line = (env: string, row: string): RagenLine => worlds.find((w) => w.env === env && w.row === row)!;
    for (const env of ragenEnvs) {
      const [ppo, grpo, filtered] = ["starPo", "grpo", "starPoS"].map((row) => line(env, row));
      for (const w of [ppo!, grpo!]) {
        has(
          "PPO and GRPO collapse",
          `${env} ${w.fell} of ${n}, last quarter minus second ${shown(w.change)}`,
        );
        if (w.silent < 0.5 * n) continue;
        has(
          "When in-group std vanishes",
          `${env}, ${w.row}: std below a tenth in ${w.silent} of ${n}, update ${w.silentAt}, last quarter minus second ${shown(w.change)}`,
        );
      }
      has(
        "GRPO does worse",
        `${env} std below a tenth: PPO ${ppo!.silent}, GRPO ${grpo!.silent} of ${n}, final PPO ${shown(ppo!.final)}, GRPO ${shown(grpo!.final)}`,
      );
      has(
        "StarPO-S does better",
        `${env} final ${shown(ppo!.final)} and with the filter ${shown(filtered!.final)}`,
      );
    }
  });

  it("has no row that is not recomputed above", () => {
    assert.deepEqual(
      rows.map(({ claim }) => claim).filter((claim) => !touched.has(claim) && !isAboutAlarms(claim)),
      [],
    );
  });

  it("stored runs are what the library computes now", async () => {
    const { final, peak, fall } = await echoTrapRun({ trap: "mismatch", lever: "vanilla", seed: 1 });
    const stored = of("mismatch").find((r) => r.seed === 1)!;
    assert.ok(Math.abs(final - stored.final) < 1e-5 && Math.abs(peak - stored.peak) < 1e-5);
    assert.equal(fall, stored.fall);
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
