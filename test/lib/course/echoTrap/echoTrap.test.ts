import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { make, sweep, toolChainPolicy, type Metrics } from "turnwise";
import {
  changeName,
  echoTrapPartNames,
  echoTrapParts,
  echoTrapRows,
  echoTrapRun,
  echoTrapSweep,
  echoTrapTraining,
  frequentResponses,
  leverEffect,
  leverMatrix,
  leverRecipe,
  runsToCsv,
  storedRuns,
  traps,
  type LeverName,
  type StoredRun,
} from "turnwise-course/echo-trap";
import { gain } from "turnwise/verdict";
import { trapNames } from "turnwise-course/internal/shared/echoTrap/traps";
import { summarize } from "turnwise-course/internal/04-echo-trap/summary";
import { ragenSummary } from "turnwise-course/internal/04-echo-trap/ragenRun";
import { leverNames } from "turnwise-course/internal/shared/echoTrap/levers";
import type { RunSummary } from "turnwise-course/internal/shared/echoTrap/runSummary";
import type { EchoTrapCell } from "turnwise-course/internal/04-echo-trap/echoTrapRun";
import { root } from "../../../support/paths.js";
import { aroundTheFall } from "turnwise-course/internal/04-echo-trap/aroundTheFall";
import { inBothHalves } from "turnwise-course/internal/shared/inBothHalves";
import { fortyRuns } from "../storedRun";
import { countsAlike } from "./countsAlike";

describe("traps and levers", () => {
  it("every lever makes a row for every trap, and vanilla is GRPO with the trap's own reuse and optimizer", () => {
    for (const name of trapNames) {
      for (const lever of leverNames) {
        const row = leverRecipe(lever, traps[name]);
        assert.equal(row.aggregate.kind, "tokenMean", `${name}, ${lever}`);
        if (!lever.includes("1 step")) {
          assert.deepEqual(
            [row.update.epochs, row.update.minibatches],
            [traps[name].epochs, traps[name].minibatches],
            `${name}, ${lever}`,
          );
        }
      }
      const vanilla = leverRecipe("vanilla", traps[name]);
      assert.equal(vanilla.name, "grpo");
      assert.deepEqual(vanilla.scale, { kind: "group", unbiased: false, epsilon: 1e-6 });
      assert.equal(vanilla.update.optimizer.learningRate, traps[name].optimizer.learningRate);
    }
  });

  it("a lever changes what it says and nothing else", () => {
    const vanilla = leverRecipe("vanilla", traps.reuse);
    assert.deepEqual(leverRecipe("dual clip 3", traps.reuse), {
      ...vanilla,
      gate: { kind: "dualClip", clipLow: 0.2, clipHigh: 0.2, dualClip: 3 },
    });
    assert.deepEqual(leverRecipe("Adam beta2 .95", traps.reuse).update.optimizer, {
      ...vanilla.update.optimizer,
      beta2: 0.95,
    });
  });

  it("equal jobs give equal runs, and samples are counted alike for all levers", async () => {
    const job = { trap: "cost", lever: "vanilla", seed: 3, change: { updates: 20 } } as const;
    const summary = await echoTrapRun(job);
    assert.deepEqual(await echoTrapRun(job), summary);
    assert.equal(summary.samples, 20 * 64);
    assert.equal(summary.optimizerSteps, 20 * 4);
    const other = await echoTrapRun({ ...job, lever: "SO-PPO, KL" });
    assert.deepEqual([other.samples, other.optimizerSteps], [summary.samples, summary.optimizerSteps]);
  });

  it("every lever draws the same samples and takes the same steps, unless its name says another number of them", async () => {
    for (const [i, lever] of leverNames.entries())
      await countsAlike(lever, (["reuse", "cost", "mismatch"] as const)[i % 3]!);
  }).timeout(60_000);

  it("a run that stops ends as good as the policy with which it stopped", async () => {
    // k3's slope overflows long before its value does: the run of trap C stops within some updates.
    const job = { trap: "mismatch", lever: "KL to reference .1, k3 of TRL", seed: 0 } as const;
    const { stoppedAt, final, peak } = await echoTrapRun(job);
    assert.ok(stoppedAt !== null && stoppedAt < 50, String(stoppedAt));
    assert.ok(final > 0 && final < 1 && peak < 0.6, `${final}, ${peak}`);
  });

  it("runs as a job of a sweep with the same result", async () => {
    const cell = { trap: "cost", lever: "vanilla", change: { updates: 20 } };
    const { results } = await sweep<RunSummary>({
      task: { module: "turnwise-course/jobs", export: "echoTrapJob" },
      grid: { cell: [cell] },
      seeds: [3],
      workers: 0,
    });
    assert.deepEqual(
      results[0]!.value,
      await echoTrapRun({ trap: "cost", lever: "vanilla", seed: 3, change: { updates: 20 } }),
    );
  });

  it("a turn cost under group std pays for short episodes from the first updates on", async () => {
    let [first, last] = [0, 0];
    for await (const { update, metrics } of echoTrapTraining({ trap: "cost", lever: "vanilla", seed: 0 })) {
      if (update === 1) first = metrics["turns/mean"]!;
      last = metrics["turns/mean"]!;
      if (update === 40) break;
    }
    assert.ok(first > 2.5 && last < 2, `${first} to ${last}`);
  });
});

describe("the grid of traps and levers", () => {
  it("has each cell once, every lever in trap A, and the traps themselves", () => {
    const keys = echoTrapPartNames.flatMap((part) =>
      echoTrapParts[part].map((cell) => [cell.trap, cell.lever, changeName(cell)].join("|")),
    );
    assert.deepEqual(
      keys.filter((key, i) => keys.indexOf(key) !== i),
      [],
    );
    const inA = new Set(keys.filter((key) => key.startsWith("reuse|") && key.endsWith("|")));
    const tried = leverNames.filter((lever) => !lever.startsWith("LOOP"));
    assert.deepEqual(
      tried.filter((lever) => !inA.has(`reuse|${lever}|`)),
      [],
    );
    for (const trap of trapNames) assert.ok(keys.includes(`${trap}|vanilla|`), trap);
  });

  it("goes on where it was stopped, and ends as one that was never stopped", async () => {
    const change = { updates: 20 };
    const cells: EchoTrapCell[] = [
      { trap: "cost", lever: "vanilla", change },
      { trap: "cost", lever: "GSPO", change, firstSeed: 7 },
    ];
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-grid-"));
    const file = path.join(folder, "part.jsonl");
    const ofFile = { file, seeds: 3, workers: 0 };
    const stopped = echoTrapSweep(cells, ofFile);
    for await (const result of stopped) {
      assert.equal(result.seed, 0);
      break;
    }
    assert.equal((await stopped).stopped, true);
    const before = fs.readFileSync(file, "utf8");
    assert.ok(before.split("\n").length - 1 < 1 + 6, "some jobs are left");
    const resumed = echoTrapRows("cost", cells, (await echoTrapSweep(cells, ofFile)).results);
    const after = fs.readFileSync(file, "utf8");
    assert.ok(after.startsWith(before), "what was done is kept as it was");
    assert.equal(after.trim().split("\n").length, 1 + 6);
    const whole = await echoTrapSweep(cells, { seeds: 3, workers: 0 });
    assert.deepEqual(resumed, echoTrapRows("cost", cells, whole.results));
    assert.deepEqual(
      resumed.map(({ lever, seed, change: name }) => [lever, seed, name]),
      [0, 1, 2].flatMap((seed) => [
        ["vanilla", seed, "updates=20"],
        ["GSPO", 7 + seed, "updates=20 from=7"],
      ]),
    );
    assert.deepEqual(storedRuns(runsToCsv(resumed))[1]!.lever, "GSPO");
    fs.rmSync(folder, { recursive: true });
  });

  it("reads no result of another grid", async () => {
    const cell: EchoTrapCell = { trap: "cost", lever: "vanilla", change: { updates: 20 } };
    const cells: EchoTrapCell[] = [cell, { ...cell, lever: "GSPO" }];
    const { results } = await echoTrapSweep(cells, { seeds: 1, workers: 0 });
    assert.throws(() => echoTrapRows("cost", [cell, { ...cell, lever: "SGD" }], results), {
      name: "RangeError",
      message: "Cannot read a result: its cell must be of the sweep, but it is cost, GSPO, updates=20.",
    });
  });

  it("what is stored is written back as it was read", () => {
    const text = fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap.csv"), "utf8");
    assert.equal(runsToCsv(storedRuns(text)), text);
  });
});

describe("summaries of runs", () => {
  const at = (update: number): Metrics => ({
    "success/mean": update <= 60 ? 1 : 0.2,
    "reward/std": update <= 5 ? 0.4 : 0,
    "reward/fracZeroStd": 1,
    "policy/entropy": update <= 8 ? 1 : 0.1,
    "policy/gradNorm": update === 60 ? 0.3 : 0,
    "policy/approxKl": update === 60 || update === 80 ? 2 : 0,
    "turns/mean": 3,
    "response/topShare": 0.5,
  });
  const metrics = Array.from({ length: 100 }, (_, i) => at(i + 1));

  it("finds the events of a run with known events", () => {
    const s = summarize(metrics, { samples: 6400, optimizerSteps: 100 });
    assert.deepEqual(
      { ...s, final: Number(s.final.toFixed(6)), entropy: Number(s.entropy.toFixed(6)) },
      {
        final: 0.2,
        peak: 1,
        collapsed: true,
        stdCliff: 6,
        entropyCliff: 9,
        // k updates of .2 after 10 - k of 1: 1 - .08 k < .75 from k = 4.
        fall: 64,
        onset: 61,
        burst: 60, // the one at 80 comes after the fall
        spike: 60,
        silence: 20,
        // Above .6 from update 10 on: windows begin at 10 to 41, as the last one ends at 50, before the ten that precede the onset.
        windows: 32,
        burstWindows: 0,
        spikeWindows: 0,
        maxGradNorm: 0.3,
        turns: 3,
        entropy: 0.1,
        topShare: 0.5,
        fracZeroStd: 1,
        samples: 6400,
        optimizerSteps: 100,
        stoppedAt: null,
      },
    );
    const stopped = summarize(
      metrics.slice(0, 8),
      { samples: 512, optimizerSteps: 8 },
      { at: 9, success: 0.3 },
    );
    assert.deepEqual([stopped.stoppedAt, stopped.final, stopped.peak, stopped.stdCliff], [9, 0.3, 1, 6]);
    const never = summarize([], { samples: 0, optimizerSteps: 0 }, { at: 1, success: 0.2 });
    assert.deepEqual([never.stoppedAt, never.final, never.fall], [1, 0.2, null]);
    assert.throws(() => summarize(metrics.slice(0, 19), { samples: 0, optimizerSteps: 0 }), {
      name: "RangeError",
      message: "Cannot sum up a run: it must have at least 20 updates, got 19.",
    });
  });

  it("looks back from the onset of a fall, and from stretches before none", () => {
    const updates = Array.from({ length: 120 }, (_, i) => i + 1);
    const signals = {
      // Best mean 1. The mean of ten is below .75 from update 95 on: two dips to 0 at 91 and 93, and .6 at 95.
      success: updates.map((u) => (u === 91 || u === 93 ? 0 : u === 95 ? 0.4 : u > 95 ? 0.9 : 1)),
      gradient: updates.map((u) => (u === 40 || u === 88 ? 0.9 : 0.1)),
      kl: updates.map((u) => (u === 30 || u === 91 || u === 5 ? 1 : 0)),
      entropyCliff: 20,
    };
    // Windows begin at 21 to 71: the last ends at 80, before the ten updates that precede the onset at 91.
    // Windows with the burst at 30 begin at 21 to 30, with the spike at 40 at 31 to 40.
    assert.deepEqual(aroundTheFall(signals), {
      ...{ fall: 95, onset: 91, burst: 30, spike: 88, silence: 0 },
      ...{ windows: 51, burstWindows: 10, spikeWindows: 10 },
    });
    const held = aroundTheFall({ ...signals, success: updates.map(() => 1) });
    // Without a fall all updates count but the last ten: windows begin at 21 to 101.
    assert.deepEqual([held.fall, held.onset, held.burst, held.windows], [null, null, 91, 81]);
    const never = aroundTheFall({ ...signals, success: updates.map(() => 0.5) });
    assert.equal(never.windows, 0);
  });

  it("finds peak, fall and cliffs of a run that is known by its reward alone", () => {
    const run = Array.from({ length: 60 }, (_, i): Metrics => ({
      "reward/mean": i < 10 ? 0 : i < 30 ? 1 : 0.25,
      // Four updates without a std are no cliff.
      "reward/std": i < 40 && (i < 5 || i > 8) ? 0.5 : 0.01,
      "policy/entropy": 1,
      "policy/gradNorm": i === 35 ? 9 : 1,
      "response/topShare": 0.1,
    }));
    const s = ragenSummary(run);
    assert.deepEqual([s.start, s.peak, s.peakAt, s.final], [0, 1, 20, 0.25]);
    assert.deepEqual([s.stdCliff, s.entropyCliff, s.spikeAt], [41, null, 36]);
    // Quarters of 15: ten of 0 and five of 1; all 1; .25; .25.
    assert.deepEqual([s.q1, s.q2, s.q3, s.q4], [1 / 3, 1, 0.25, 0.25]);
    // k updates of .25 after 10 - k of 1: 1 - .075 k < .5 from k = 7.
    assert.equal(s.fall, 37);
  });

  it("reads stored runs back, with events that did not happen and levers with commas", () => {
    const [run] = storedRuns(
      "part,trap,change,seed,final,peak,collapsed,stdCliff,entropyCliff,burst,silence,fall,maxGradNorm,turns,entropy," +
        'topShare,fracZeroStd,samples,optimizerSteps,lever\nreuse,reuse,adam=0.1,4,0.5,0.9,1,6,,80,19,84,0.2,3,0.1,0.3,1,6400,100,"SO-GRPO, KL"\n',
    );
    assert.equal(run!.lever, "SO-GRPO, KL");
    assert.deepEqual([run!.seed, run!.collapsed, run!.entropyCliff, run!.fall], [4, true, null, 84]);
  });

  it("an effect of both halves reaches as far as that of all seeds and that of either half", () => {
    const runsOf = (value: (seed: number) => number): { seed: number; value: number }[] =>
      Array.from({ length: 40 }, (_, seed) => ({ seed, value: value(seed) }));
    const other = runsOf(() => 0.5);
    const effect = inBothHalves(
      runsOf((seed) => (seed < 20 ? 0.9 : 0.8)),
      other,
      gain,
    );
    // Halves are points at .4 and .3; all seeds have .35 +- 2.02 x .0506 / sqrt(40) = .016.
    assert.deepEqual(
      [effect.mean, effect.n].map((x) => x.toFixed(6)),
      ["0.350000", "20.000000"],
    );
    const { low, high } = effect.at(0.95);
    assert.ok(Math.abs(low - 0.3) < 1e-12 && Math.abs(high - 0.4) < 1e-12, `${low} to ${high}`);
    // At a level that a family asks for, all seeds reach farther: 8 x .008 is beyond the .05 between them and a half.
    assert.ok(effect.at(1 - 1e-9).low < 0.3);
    assert.equal(inBothHalves(other.slice(0, 20), other, gain).n, 0, "no half that confirms");
    assert.throws(() => inBothHalves([], other, gain), {
      name: "RangeError",
      message: "Cannot compare samples: values must not be empty, got none.",
    });
  });

  it("judges levers as one family, and each by both halves of the seeds", () => {
    const cell = (lever: LeverName, final: (seed: number) => number): StoredRun[] =>
      fortyRuns({ lever }).map((run) => ({
        ...run,
        final: final(run.seed) + (run.seed % 2 === 0 ? 0.02 : -0.02),
      }));
    const rows = [
      ...cell("vanilla", () => 0.5),
      ...cell("SGD", () => 0.97),
      ...cell("GSPO", () => 0.7),
      ...cell("batch std", () => 0.3),
      ...cell("no std", () => 0.51),
      // A gain in the half that finds, and none in the half that confirms.
      ...cell("gradient clip", (seed) => (seed < 20 ? 0.9 : 0.5)),
    ];
    const words = (all: readonly StoredRun[]): unknown =>
      Object.fromEntries(leverMatrix(all).map(({ lever, word }) => [lever, word]));
    assert.deepEqual(words(rows), {
      SGD: "fixes",
      "no std": "no effect that matters",
      "batch std": "hurts",
      "gradient clip": "not shown",
      GSPO: "helps",
    });
    assert.deepEqual(
      new Set(leverMatrix(rows).map(({ verdict }) => verdict.family)),
      new Set(["Holm over 5"]),
    );
    const fewer = words(rows.filter(({ seed }) => seed < 20)) as Record<string, string>;
    assert.deepEqual(new Set(Object.values(fewer)), new Set(["too few seeds"]));
    assert.equal(leverEffect(rows, "cost", "SGD"), undefined);
    const broken = rows.map((run) => (run.lever === "SGD" && run.seed < 3 ? { ...run, stoppedAt: 40 } : run));
    assert.equal(leverEffect(broken, "reuse", "SGD")!.stopped, 3);
  });

  it("shows what a policy says most often, on the same tasks for the same seed", () => {
    const env = make("ToolChain-v0");
    const policy = toolChainPolicy(env.spec, { beta: 8, seed: 0 });
    const said = frequentResponses(env, policy, 3);
    assert.deepEqual(frequentResponses(env, policy, 3), said);
    assert.equal(said.length, 3);
    assert.match(said[0]!.response, /^\S+ SEARCH [0-3] \/ \S+ LOOKUP [0-3] \/ \S+ ANSWER [0-3]$/);
    assert.ok(said[0]!.share >= said[1]!.share && said[0]!.meanReturn > 0.9);
  });
});
