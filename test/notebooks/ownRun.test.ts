// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { bootstrapInterval } from "turnwise";
import { claims, measured } from "turnwise-course";
import { shareInterval } from "turnwise/verdict";
import { storedLanguageRuns } from "turnwise-course/language-model";
import { storedRuns } from "turnwise-course/echo-trap";
import { batchOf, doctor, readLog, readTrajectories, applyRules } from "turnwise-practice";
import { root } from "../support/paths.js";
import { claimOf, storedLedger } from "./storedLedger";

const data = (...parts: string[]): string => path.join(root, "datasets", ...parts);
const shown = ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
  `${mean.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
const sum = (values: readonly number[]): number => values.reduce((total, x) => total + x, 0);

describe("lesson 11, your own run", function () {
  this.timeout(60_000);
  const rows = storedLedger("11-your-own-run");
  const has = (words: string, expected: string): void => {
    const { measured: text } = claimOf(rows, words);
    assert.ok(text.includes(expected), `${expected} in: ${text}`);
  };

  it("shows the ledger that the stored runs give", () => {
    assert.deepEqual(
      rows.map(({ claim, measured: text, verdict }) => [claim, text, String(verdict)]),
      claims.ownRun.map(({ claim, measured: text, verdict }) => [claim, text, verdict.text]),
    );
  });

  it("gives each claim its figure, in tables and in transformers", () => {
    const tables = storedRuns(measured("echo-trap")).filter(
      (run) => run.trap === "reuse" && run.lever === "vanilla" && run.change === "",
    );
    const models = storedLanguageRuns(measured("language-model")).filter(({ reuse }) => reuse);
    for (const [policy, runs] of [
      ["table", tables],
      ["transformer", models],
    ] as const) {
      const fell = runs.filter(({ fall }) => fall !== null).length;
      const share = shown(shareInterval(fell, runs.length));
      has("24 full-size steps", `${policy}: ${fell} of ${runs.length} runs fall, share ${share}`);
    }
    // The same areas as in the ledgers of lessons 04 and 10.
    const area = (notebook: string, words: string, name: string): string =>
      new RegExp(`${name} (\\S+ \\[\\S+ \\S+\\])`).exec(claimOf(storedLedger(notebook), words).measured)![1]!;
    const network = "An alarm tells more of a network";
    has("Unearned silence", `transformer: area ${area("10-language-model", network, "unearned silence")}`);
    has("Success sags", `transformer: area ${area("10-language-model", network, "success itself")}`);
    const some = "Some alarm tells the coming fall";
    has("Unearned silence", `table: area ${area("appendix/04-echo-trap", some, "unearned silence")}`);
    has("A std near 0", `table: area ${area("appendix/04-echo-trap", some, "std cliff")}`);
  });

  it("says in words what the log is: alarms at once, silence three steps before the fall, others under verl's names", () => {
    const { alarms, fall } = readLog(data("logs", "trl.jsonl")).watch();
    assert.equal(fall, 84);
    assert.ok(alarms[0]!.update < 20);
    assert.deepEqual(
      [...new Set(alarms.map(({ rule }) => rule))],
      ["entropy cliff", "std cliff", "gradient spike", "unearned silence"],
    );
    assert.equal(alarms.find(({ rule }) => rule === "unearned silence")!.update, 81);
    const verl = readLog(data("logs", "verl.jsonl")).watch();
    assert.deepEqual(
      [...new Set(verl.alarms.map(({ rule }) => rule))],
      ["entropy cliff", "gradient spike", "KL burst"],
    );
    const open = readLog(data("logs", "public", "trl-chaos-economy.json")).watch();
    assert.deepEqual([open.alarms.length, open.fall, open.isShare], [0, null, false]);
    assert.equal(Math.round(1000 * open.dip!.chance), 85);
    assert.deepEqual([open.dip!.best.toFixed(2), open.dip!.lowest.toFixed(2)], ["0.74", "0.01"]);
  });

  it("says in words what the doctor's page has: entropy below the first cause, with its track record, and no configuration", async () => {
    const report = await doctor(data("logs", "trl.jsonl"));
    const at = (name: string): number => report.causes.findIndex((one) => one.name === name);
    assert.deepEqual([at("echo-trap"), at("entropy-collapses") > 0], [0, true]);
    const [entropy] = report.runs[0]!.events.filter(({ metric }) => metric === "policy/entropy");
    assert.equal(entropy!.from, 11);
    assert.equal(Math.round(entropy!.before / entropy!.extreme / 10), 3, "a thirtieth");
    assert.match(report.causes[at("entropy-collapses")]!.evidence.join(" "), /98% of runs that hold/);
    assert.match(String(report), /No configuration: the steps per batch/);
  });

  it("says in words what the rollouts are: who was blamed, what GSPO clips, which groups teach nothing", async () => {
    const stored = await batchOf(readTrajectories(data("trajectories", "stale.jsonl")));
    const { batch, advantage_ntl } = stored;
    const { rules, mismatch } = applyRules(stored, ["grpo", "gspo", "drGrpo"]);
    const [grpo, gspo, drGrpo] = rules;
    const [, T, L] = batch.shape;
    const group = [16, 17, 18, 19, 20, 21, 22, 23];
    const first = group.map((n) => n * T * L);
    // (0 - .625) / .5175 and (1 - .625) / .5175, where .5175 is the std of three 0 and five 1 with n - 1.
    assert.deepEqual(
      first.map((i) => advantage_ntl![i]!.toFixed(2)),
      batch.return_n.slice(16, 24).reduce<string[]>((told, r) => [...told, r === 1 ? "0.72" : "-1.21"], []),
    );
    assert.ok(Math.abs(sum(first.map((i) => advantage_ntl![i]!))) < 1e-3, "pushes on the look-up cancel");
    const word = (i: number): string => batch.script!.vocabulary[batch.token_ntl[i]!]!;
    assert.deepEqual([...new Set(first.map(word))], ["LOOKUP"]);
    assert.equal(grpo!.storedSimilarity!.toFixed(4), "1.0000");
    assert.equal((drGrpo!.advantage_ntl[first[0]!]! / advantage_ntl![first[0]!]!).toFixed(1), "0.5");
    const clipped = ({ ratios }: typeof grpo & object): number =>
      100 * (ratios["policy/clipFracLow"]! + ratios["policy/clipFracHigh"]!);
    assert.deepEqual([clipped(grpo!), clipped(gspo!)].map(Math.round), [13, 60]);
    assert.ok(rules.every(({ activeFraction }) => Math.abs(activeFraction - 2 / 3) < 1e-9));
    assert.equal(mismatch["mismatch/ratioMax"]!.toFixed(1), "3.8");
  });

  it("says in words what TRL's runs are: all rewards the same, two of three at our level, the third at a quarter", () => {
    const lines = measured("trl-lookup")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
    const of = (trainer: string, seed: number): number[] =>
      lines.filter(([t, s]) => t === trainer && Number(s) === seed).map(([, , , reward]) => Number(reward));
    const ends = (trainer: string): number[] =>
      [0, 1, 2].map((seed) => sum(of(trainer, seed).slice(-20)) / 20);
    assert.deepEqual(
      ends("TRL").map((end) => (end > 0.95 ? "ours" : end.toFixed(2))),
      ["ours", "ours", "0.23"],
    );
    assert.ok(ends("turnwise").every((end) => end > 0.95));
    has("GRPO teaches", `TRL: reward ${shown(bootstrapInterval(ends("TRL")))}, 3 seeds`);
    const [played, same] = [4, 5].map((column) => sum(lines.map((line) => Number(line[column]))));
    assert.deepEqual([played, same], [38400, 38400]);
    has("A world that is served", `${same} of ${played} episodes`);
  });

  it("names files that are there", () => {
    const { cells } = readNotebook(path.join(root, "notebooks", "11-your-own-run.ipynb"));
    const named = cells.flatMap(({ source }) => [...source.matchAll(/"\.\.\/(datasets\/[^"]+)"/g)]);
    assert.ok(named.length >= 3);
    for (const [, file] of named) assert.ok(fs.existsSync(path.join(root, file!)), file);
  });
});
