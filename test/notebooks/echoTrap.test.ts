import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { bootstrapInterval, difference, EchoTrapMonitor, median, monitor } from "turnwise";
import { recordsFromJsonl } from "turnwise-practice";
import {
  echoTrapRun,
  ragenEnvs,
  ragenReport,
  storedRagenRuns,
  storedRuns,
  type LeverName,
  type RagenLine,
  type StoredRun,
  type TrapName,
} from "turnwise-course/echo-trap";
import { root } from "../support/paths.js";
import { isAboutAlarms } from "./alarmRows";
import { claimOf, storedLedger } from "./storedLedger";

const measuredFile = (name: string): string =>
  fs.readFileSync(path.join(root, "datasets", "measured", `${name}.csv`), "utf8");
const shown = (e: { mean: number; low: number; high: number }): string =>
  `${e.mean.toFixed(2)} [${e.low.toFixed(2)}, ${e.high.toFixed(2)}]`;

describe("the whole ledger of lesson 04, in its appendix", () => {
  const rows = storedLedger("appendix/04-echo-trap");
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

  it("ranks nothing on fewer than 40 seeds, of which half confirm what the others found", () => {
    const cells = new Map<string, number[]>();
    for (const { trap, lever, change, seed } of runs) {
      const cell = [trap, lever, change].join(" | ");
      cells.set(cell, [...(cells.get(cell) ?? []), seed]);
    }
    const all = Array.from({ length: 40 }, (_, seed) => seed).join();
    assert.deepEqual(
      [...cells].filter(([, seeds]) => seeds.sort((a, b) => a - b).join() !== all).map(([cell]) => cell),
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
      const low = of(trap).filter((r) => r.final < 0.5).length;
      has(
        "Heavy reuse under Adam",
        `${label} ${shown(bootstrapInterval(of(trap).map((r) => r.final)))} (${low} of 40 below .5)`,
      );
      const collapsed = of(trap).filter((r) => r.peak > 0.6 && r.final < 0.75 * r.peak).length;
      const name = trap === "reuse" ? "A, learning rate 0.3, 24 steps on a batch" : label;
      has("Multi-turn GRPO", `${name}: ${collapsed} of 40`);
    }
    assert.ok(bootstrapInterval(of("sane").map((r) => r.final)).mean > 0.97);
  });

  it("holds the order of events, what came before the drops and the recoveries of trap A", () => {
    const A = of("reuse");
    const at = (event: "stdCliff" | "entropyCliff"): number => median(A.flatMap((r) => r[event] ?? []));
    const first = (a: "stdCliff" | "entropyCliff", b: "stdCliff" | "entropyCliff"): number =>
      A.filter((r) => r[a] !== null && r[b] !== null && r[a] < r[b]).length;
    has(
      "In-group std falls first",
      `std below .05 at update ${at("stdCliff")}, entropy below 25 % at ${at("entropyCliff")} (medians); ` +
        `std first in ${first("stdCliff", "entropyCliff")} of 40, entropy first in ${first("entropyCliff", "stdCliff")}`,
    );
    const fell = A.filter((r) => r.fall !== null);
    for (const [name, event, windows] of [
      ["KL above .5 nats", "burst", "burstWindows"],
      ["gradient 3 times its mean", "spike", "spikeWindows"],
    ] as const) {
      const before = fell.filter((r) => r[event] !== null && r.onset! - r[event] <= 10).length;
      const percent = (all: readonly StoredRun[]): string => {
        const shares = all.filter((r) => r.windows > 0).map((r) => r[windows] / r.windows);
        return `${((100 * shares.reduce((a, x) => a + x, 0)) / shares.length).toFixed(0)} %`;
      };
      has(
        "A burst comes",
        `${name} in the 10 updates before ${before} of ${fell.length} drops; in ${percent(fell)} of such stretches before none ` +
          `in the same runs, ${percent(A)} in all runs`,
      );
    }
    const recovered = fell.filter((r) => r.final >= 0.75 * r.peak || r.peak <= 0.6).length;
    has("The fall is irreversible", `of ${fell.length} runs that fell, ${recovered} ended above 75 %`);
  });

  it("holds the gradient norms", () => {
    const largest = (trap: TrapName): string =>
      Math.max(...of(trap).map((r) => r.maxGradNorm)).toPrecision(2);
    const middle = (trap: TrapName): string => median(of(trap).map((r) => r.maxGradNorm)).toPrecision(2);
    has(
      "A gradient spike marks",
      `A ${middle("reuse")} (${largest("reuse")}), C ${middle("mismatch")} (${largest("mismatch")})`,
    );
    const limit = 10 * median(of("sane").map((one) => one.maxGradNorm));
    for (const [trap, label] of [
      ["reuse", "A"],
      ["mismatch", "C"],
    ] as const) {
      const count = (isOwn: boolean): string => {
        const own = of(trap).filter((r) => (r.fall !== null) === isOwn);
        return `${own.filter((r) => r.maxGradNorm > limit).length} of ${own.length}`;
      };
      has("A gradient spike marks", `${label} ${count(true)} that fell, ${count(false)} others`);
    }
  });

  it("holds every effect of a lever that it names", () => {
    const letters = { A: "reuse", B: "cost", C: "mismatch" } as const;
    const finals = (trap: TrapName, lever: LeverName, change = ""): number[] =>
      runs.filter((r) => r.trap === trap && r.lever === lever && r.change === change).map((r) => r.final);
    const cell =
      /^(.*) in (A|B|C|noisyReward)(?:, (beta=2))?: (\S+ \[[^\]]*\]), (gain|over (.*)) (-?\S+ \[[^\]]*\])/;
    const levers = [
      ...["Fewer steps", "An advantage that", "SeeUPO prevents", "SeeUPO does better", "Filtering groups"],
      ...[
        "The filter helps",
        "Turn-level importance",
        "A dual clip",
        "Turn ratio and our KL penalty",
        "Turn ratio and a division",
      ],
      ...["A KL penalty to", "So does the penalty", "Estimated by k3", "The limits that verl"],
    ];
    for (const words of levers) {
      for (const part of text(words).split("; ")) {
        const [, lever, place, change = "", final, , over = "vanilla", gain] = cell.exec(part)!;
        const trap = letters[place as "A"] ?? "noisyReward";
        const own = finals(trap, lever as LeverName, change);
        const other = finals(trap, over as LeverName, change);
        assert.equal(final, shown(bootstrapInterval(own)), part);
        assert.equal(gain, shown(difference(own, other)), part);
      }
    }
    for (const part of text("SO-PPO is more stable").split("; ")) {
      const [, lever, place, own, ppo] = /^(.*) in (A|B|C): (.*), PPO (.*)$/.exec(part)!;
      const alive = (name: string): string =>
        `${finals(letters[place as "A"], name as LeverName).filter((x) => x >= 0.5).length} of 40`;
      assert.deepEqual([own, ppo], [alive(lever!), alive("PPO (critic)")], part);
    }
  });

  it("holds what became of RAGEN's three worlds", () => {
    const worlds = ragenReport(storedRagenRuns(measuredFile("ragen")));
    assert.equal(worlds.length, 9);
    const n = 40;
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
          "Where in-group std vanishes",
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
    const notebook = fs.readFileSync(path.join(root, "notebooks", "appendix", "04-echo-trap.ipynb"), "utf8");
    for (const line of watcher.toString().split("\n")) {
      assert.ok(notebook.includes(JSON.stringify(line).slice(1, -1)), line);
    }
  });
});
