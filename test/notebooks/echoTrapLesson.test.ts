// Uses internals of turnwise-course, turnwise/rule, turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { difference, toolChainPolicy, type Policy } from "turnwise";
import {
  alarmReport,
  echoTrapTraining,
  firstCollapse,
  leverMatrix,
  liveRun,
  lookingBackChart,
  storedAlarmRuns,
  storedRuns,
  type LeverName,
  type StoredRun,
  type TrapName,
} from "turnwise-course/echo-trap";
import { claims, measured } from "turnwise-course";
import { shareInterval } from "turnwise/verdict";
import { klEstimate } from "turnwise/internal/rule/regularizer/kl/sampled";
import type { LiveRun } from "turnwise-course/internal/04-echo-trap/liveRun";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";
import { claimOf, storedLedger } from "./storedLedger";

const shown = (e: { mean: number; low: number; high: number }): string =>
  `${e.mean.toFixed(2)} [${e.low.toFixed(2)}, ${e.high.toFixed(2)}]`;

describe("lesson 04, the echo trap", () => {
  const rows = storedLedger("04-echo-trap");
  const runs = storedRuns(measured("echo-trap"));
  const of = (trap: TrapName, lever: LeverName = "vanilla"): readonly StoredRun[] =>
    runs.filter((run) => run.trap === trap && run.lever === lever && run.change === "");
  const finals = (trap: TrapName, lever?: LeverName): number[] => of(trap, lever).map(({ final }) => final);
  const has = (words: string, expected: string): void => {
    const { measured: text } = claimOf(rows, words);
    assert.ok(text.includes(expected), `${expected} in: ${text}`);
  };

  it("shows the ledger that the stored runs give, with the verdicts of the whole one", () => {
    const whole = storedLedger("appendix/04-echo-trap");
    assert.deepEqual(
      rows.map(({ claim, measured: text, verdict }) => [claim, text, String(verdict)]),
      claims.echoTrap.map(({ claim, measured: text, verdict }) => [claim, text, verdict.text]),
    );
    for (const { verdict } of rows)
      assert.ok(
        whole.some((row) => String(row.verdict) === String(verdict)),
        String(verdict),
      );
  });

  it("gives each claim one figure, from the stored runs", () => {
    const collapsed = of("reuse").filter((run) => run.peak > 0.6 && run.final < 0.75 * run.peak).length;
    has("Many full-size steps", `${collapsed} of 40 runs`);
    has("Many full-size steps", `share ${shown(shareInterval(collapsed, 40))}`);
    const fewer = difference(finals("reuse", "1 step per batch"), finals("reuse"));
    has("One optimizer step", `gain ${shown(fewer)}`);
    has("Not dividing", `gain ${shown(difference(finals("cost", "no std"), finals("cost")))}`);
    const [exact, k3] = [
      finals("reuse", "KL to reference .1"),
      finals("reuse", "KL to reference .1, k3 of TRL"),
    ];
    has("Estimated by k3", `with k3: ${shown(difference(exact, k3))}`);
    // The areas are recomputed by brute force in alarms.test.ts, whose text the appendix shows.
    const whole = storedLedger("appendix/04-echo-trap");
    const area = /AUC in the 25 updates before a fall (.*?),? in those/.exec(
      claimOf(whole, "In-group std warns").measured,
    )![1]!;
    has("A std near 0", `curve ${area}`);
    const beyond = claimOf(whole, "An alarm tells more").measured;
    has("Some alarm", `success itself ${/AUC (.*?);/.exec(beyond)![1]!}`);
    has("Some alarm", `less that: ${/unearned silence (.*?\])/.exec(beyond)![1]!}`);
  });

  it("names the best of the nine alarms", () => {
    const { lines } = alarmReport(storedAlarmRuns(measured("echo-trap-alarms")));
    const alarms = lines.filter(({ rule }) => !["success itself", "at random", "the clock"].includes(rule));
    assert.equal(alarms.length, 9);
    const best = alarms.reduce((a, b) => (b.area.mean > a.area.mean ? b : a));
    assert.equal(best.rule, "unearned silence");
  });

  it("says of levers what the chart shows: none fixes all traps, and each trap is fixed by those it names", () => {
    const word = new Map(leverMatrix(runs).map((one) => [`${one.lever} in ${one.trap}`, one.word]));
    for (const cell of [
      ...["1 step per batch in reuse", "Adam beta2 .95 in reuse", "KL to reference .2 in reuse"],
      ...["no std in cost", "dual clip 3 in mismatch", "SO-GRPO, KL in mismatch"],
    ])
      assert.equal(word.get(cell), "fixes", cell);
    assert.equal(word.get("gradient clip in mismatch"), "helps");
    assert.equal(word.get("1 step per batch in cost"), "no effect that matters");
    const levers = [...new Set(leverMatrix(runs).map(({ lever }) => lever))];
    const fixesAll = levers.filter((lever) =>
      ["reuse", "cost", "mismatch"].every((trap) => word.get(`${lever} in ${trap}`) === "fixes"),
    );
    assert.deepEqual(fixesAll, []);
    // "In which traps is it shown to help? [...] in none"
    for (const trap of ["reuse", "cost", "mismatch"])
      assert.equal(word.get(`filter 50 % in ${trap}`), "not shown", trap);
  });

  it("divides its four failures as GRPO does, by a std over n - 1, as lesson 01 does", () => {
    const { cells } = readNotebook(path.join(root, "notebooks", "04-echo-trap.ipynb"));
    const [output] = cells.find(({ id }) => id === "41-cost")!.outputs!;
    const told = String((output as { data: Record<string, unknown> }).data["text/plain"]);
    const last = told.split("\n").slice(1, 5).map((row) => Number(row.trim().split(/\s+/).at(-1))); // prettier-ignore
    // -.01, -.03, -.04, -.04: mean -.03, squares .0004, 0, .0001, .0001, over 3 .0002, std .014142; with n it would be .012247.
    assert.deepEqual(last, [1.414, 0, -0.707, -0.707]);
  });

  it("says how many fallen runs recovered, and that the dots of A and C reach from near 0 to 1", () => {
    const fell = of("reuse").filter(({ fall }) => fall !== null);
    assert.deepEqual([fell.length, fell.filter(({ collapsed }) => !collapsed).length], [34, 14]);
    for (const trap of ["reuse", "mismatch"] as const) {
      assert.ok(Math.min(...finals(trap)) < 0.2 && Math.max(...finals(trap)) > 0.98, trap);
    }
  });

  it("says how often a spike came before a fall, and how often a fall comes after a spike", () => {
    const alarms = alarmReport(storedAlarmRuns(measured("echo-trap-alarms")));
    const { summary } = lookingBackChart(alarms, [
      ["std cliff", 0.1],
      ["gradient spike", 10],
    ]);
    assert.match(summary, /gradient spike, threshold 10, falls that had it before: 0\.71/);
    assert.match(summary, /gradient spike, threshold 10, when it is up, a fall follows: 0\.12/);
    assert.match(summary, /std cliff, threshold 0\.1, falls that had it before: 1\.000/);
    assert.match(summary, /std cliff, threshold 0\.1, survivors that had it, same age: 0\.99/);
  });

  describe("the run that it watches", () => {
    let run: LiveRun;
    before(async function () {
      this.timeout(60_000);
      run = await liveRun({ trap: "reuse", seed: firstCollapse(runs, "reuse") });
    });

    it("is the stored one", () => {
      const stored = of("reuse").find(({ seed }) => seed === run.seed)!;
      assert.deepEqual([run.seed, run.fall], [2, stored.fall]);
    });

    it("falls after dozens of silent updates, and its longest move answers a gradient several times smaller than the first", () => {
      const gradients = run.metrics.map((one) => one["policy/gradNorm"]!);
      assert.ok(gradients.slice(34, 74).every((norm) => norm === 0));
      const longest = run.moved.indexOf(Math.max(...run.moved));
      assert.ok(longest >= 74 && longest < run.fall!, `update ${longest + 1}`);
      assert.ok(run.moved[longest]! >= run.moved[0]!);
      assert.ok(gradients[longest]! < gradients[0]! / 4);
      assert.equal(Math.max(...gradients), gradients[0]);
    });

    it("shows entropy and std fall some seventy updates before success, and the bump of the gradient together with it", () => {
      const entropy = run.metrics.map((one) => one["policy/entropy"]!);
      const std = run.metrics.map((one) => one["reward/std"]!);
      const success = run.metrics.map((one) => one["success/mean"]!);
      const early = [entropy.findIndex((x) => x < 0.25 * entropy[0]!), std.findIndex((x) => x < 0.05)];
      assert.deepEqual([early[0]! + 1, early[1]! + 1, run.fall], [5, 10, 84]);
      const bump = run.metrics.findIndex((one, i) => i >= 40 && one["policy/gradNorm"]! > 0) + 1;
      assert.equal(bump, 75);
      // Success of update 75 is measured before its steps, that of update 76 after them. One attempt of 8 groups of 8 fails.
      assert.equal(success[bump - 1], 63 / 64);
      assert.ok(Math.abs(success[bump]! - 2 / 3) < 0.05);
      const gradients = run.metrics.map((one) => one["policy/gradNorm"]!);
      assert.ok(Math.abs(gradients[bump]! / gradients[0]! - 1 / 5) < 0.03);
      const again = success.slice(100).findIndex((x) => x < 0.3) + 101;
      assert.ok(Math.abs(again - bump - 92) < 5, `update ${again}`);
    });

    it("stands still between its two falls, right on three quarters of the tasks", () => {
      const gradients = run.metrics.map((one) => one["policy/gradNorm"]!);
      assert.ok(gradients.slice(88, 164).every((norm) => norm === 0));
      const right = ({ answer }: LiveRun["echoes"][number]): number =>
        answer.reduce((sum, row, value) => sum + row[value]!, 0) / answer.length;
      const between = run.echoes.find(({ after }) => after === 99)!;
      assert.ok(Math.abs(right(between) - 3 / 4) < 0.01);
      // All members of each of the eight groups agree, so that success is a number of eighths.
      const success = run.metrics.slice(99, 164).map((one) => one["success/mean"]!);
      assert.ok(success.every((x) => Number.isInteger(8 * x)));
      assert.ok(run.metrics[164]!["reward/std"]! > 0 && gradients[164]! > 0);
    });

    it("says many right things before, and mostly one answer without a look at the end", () => {
      assert.ok(
        run.said.every(({ response, meanReturn }) => response.includes("SEARCH") && meanReturn === 1),
      );
      const blind = run.says.filter(({ response }) => /^\S+ ANSWER 1$/.test(response));
      assert.ok(blind.reduce((sum, { share }) => sum + share, 0) > 0.5);
    });
  });

  it("k3 has the mean of the KL on fresh tokens and the slope of the other direction; weighted, both are the KL's", () => {
    const [start, now] = [[0.9, 0.1], [0.999, 0.001]] as const; // prettier-ignore
    const slopeOf = (correction: "none" | "importanceWeighted", drawn: readonly number[]): number =>
      drawn.reduce((sum, p, a) => {
        const token = { logProb: Math.log(now[a]!), other: Math.log(start[a]!), oldLogProb: Math.log(p) };
        const { slope } = klEstimate(
          { direction: "reverse", estimator: "k3", correction, clamp: null },
          token,
        );
        // The log-probability of the first token falls by now[1] / now[0] where that of the second rises by 1.
        return sum + p * slope * (a === 1 ? 1 : -now[1] / now[0]);
      }, 0);
    const itself = now[1] * (Math.log(now[1] / start[1]) - Math.log(now[0] / start[0]));
    const reversed = -start[1] + (start[0] * now[1]) / now[0];
    const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-9, `${a}, ${b}`);
    near(slopeOf("none", now), reversed);
    near(slopeOf("importanceWeighted", start), itself);
    assert.deepEqual(
      [itself, reversed, slopeOf("none", start)].map((x) => x.toFixed(4)),
      ["-0.0047", "-0.0991", "-9.9001"],
    );
    assert.equal(Math.round(slopeOf("none", start) / itself / 100), 21);
  });

  it("two dozen parameters make one and the same move of 8.0 nats in the update that ends the silence", async () => {
    const run = echoTrapTraining({ trap: "reuse", lever: "vanilla", seed: 2, change: { updates: 75 } });
    let last: Policy = toolChainPolicy(run.env.spec, { beta: 4, seed: 2 });
    for await (const { update } of run) if (update === 74) last = run.policy.clone();
    const moves = [...run.policy.parameters].map((x, i) => Math.abs(x - last.parameters[i]!));
    // One step of .3 * .1 / sqrt(.001), less by the bias correction sqrt(1 - .999 ** 1777), then momentum: a factor .9 a step.
    const first = (0.03 / Math.sqrt(0.001)) * Math.sqrt(1 - 0.999 ** 1777);
    const whole = (first * (1 - (0.9 / Math.sqrt(0.999)) ** 24)) / (1 - 0.9 / Math.sqrt(0.999));
    const equal = moves.filter((move) => Math.abs(move - whole) < 0.1).length;
    assert.deepEqual([whole.toFixed(1), equal], ["8.0", 24]);
  }).timeout(60_000);
});
