// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DoctorReport } from "turnwise-practice";
import { followRun } from "turnwise-practice/internal/doctor/follow";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { patient } from "../../../support/patient.js";

/** Lines of a log: reward 0.9 until step 40, then 0.1, while entropy leaps from 1.5 to 6. */
const line = (step: number): string =>
  `${JSON.stringify({ step, reward: step < 40 ? 0.9 - (step % 3) / 100 : 0.1 + (step % 3) / 100, kl: 0.01, entropy: step < 36 ? 1.5 : 6 })}\n`;
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => line(from + i)).join("");

interface Told {
  readonly report: DoctorReport;
  readonly alarms: readonly string[];
  readonly last: boolean;
}

/** Follows, and lets a test wait for the first report that has what it looks for. */
function following(target: string, idleSeconds = patient(60)) {
  const told: Told[] = [];
  const waiting: { is: (one: Told) => boolean; resolve: (one: Told) => void }[] = [];
  const ending = new AbortController();
  const ended = followRun(
    [target],
    {},
    {
      idleSeconds,
      signal: ending.signal,
      onReport: (report, what) => {
        told.push({ report, ...what });
        for (const { is, resolve } of waiting) if (is(told.at(-1)!)) resolve(told.at(-1)!);
      },
    },
  );
  const until = (is: (one: Told) => boolean): Promise<Told> =>
    Promise.race([
      new Promise<Told>((resolve) => {
        const already = told.find(is);
        if (already) resolve(already);
        else waiting.push({ is, resolve });
      }),
      ended.then((): never => {
        throw new Error("it ended before");
      }),
    ]);
  const stop = (): Promise<DoctorReport | undefined> => {
    ending.abort();
    return ended;
  };
  return { told, until, stop, ended };
}

describe("following a run", function () {
  this.timeout(patient(20_000));
  this.slow(3000);
  after(removeTemporaryFolders);

  it("waits for a log, tells of the fall when it is written, and rings for each alarm once", async () => {
    const folder = temporaryFolder();
    const { told, until, stop } = following(folder);
    const log = join(folder, "run.jsonl");
    writeFileSync(log, lines(0, 30));
    const { report: first } = await until(({ report }) => report.runs.length === 1);
    assert.equal(first.runs[0]!.verdict.success.kind === "fell", false);
    appendFileSync(log, lines(30, 60));
    await until(({ report }) => report.code === 3);
    appendFileSync(log, lines(60, 70));
    writeFileSync(join(folder, "other.txt"), "");
    const last = await stop();
    assert.equal(last!.code, 3);
    assert.equal(last!.runs[0]!.records.length, 70);
    const rung = told.flatMap(({ alarms }) => alarms);
    assert.equal(rung.filter((text) => text.startsWith("success fell")).length, 1, rung.join());
    const kinds = rung.map((text) => text.replace(/ (at|from) step.*/, ""));
    assert.equal(new Set(kinds).size, kinds.length, rung.join());
    assert.deepEqual(
      told.map((one) => one.last).filter(Boolean),
      [true],
      "the whole page comes once, at the end",
    );
  });

  it("leaves out a last line that is half written, until the end", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "run.csv");
    // 0.9 may be the beginning of 0.95.
    const rows = Array.from({ length: 40 }, (_, step) => `${step},0.9,0.01,1.5`).join("\n");
    writeFileSync(log, `step,reward,kl,entropy\n${rows}\n40,0.9,0.01,1`);
    const { until, stop } = following(folder);
    const { report } = await until(({ report: one }) => one.runs.length === 1);
    assert.equal(report.runs[0]!.records.length, 40);
    const last = await stop();
    assert.equal(last!.runs[0]!.records.length, 41, "a file may end without a line's end");
  });

  it("follows a log that begins again, and one in a folder that is made later", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "run.jsonl");
    writeFileSync(log, lines(0, 60));
    const { until, stop } = following(folder);
    await until(({ report }) => report.code === 3);
    writeFileSync(log, lines(0, 20));
    await until(({ report }) => report.code !== 3 && report.runs[0]!.records.length === 20);
    mkdirSync(join(folder, "later"));
    writeFileSync(join(folder, "later", "more.jsonl"), lines(0, 60));
    await until(({ report }) => report.runs.length === 2 && report.code === 3);
    await stop();
  });

  it("keeps what it knows of a file that is being written anew", async () => {
    const folder = temporaryFolder();
    const log = join(folder, "trainer_state.json");
    const state = (to: number): string =>
      JSON.stringify({
        log_history: lines(0, to)
          .trim()
          .split("\n")
          .map((text) => JSON.parse(text) as object),
      });
    writeFileSync(log, state(60));
    const { until, stop, told } = following(folder);
    await until(({ report }) => report.code === 3);
    writeFileSync(log, state(70).slice(0, 500));
    writeFileSync(join(folder, "second.jsonl"), lines(0, 25));
    const { report } = await until((one) => one.report.runs.length === 2);
    assert.equal(report.code, 3, told.map((one) => one.report.headline).join("\n"));
    await stop();
  });

  it("ends when nothing has changed for a while; of nothing there is no report", async () => {
    const folder = temporaryFolder();
    assert.equal(await following(folder, 0.05).ended, undefined);
    writeFileSync(join(folder, "run.jsonl"), lines(0, 60));
    assert.equal((await following(folder, 0.05).ended)!.code, 3);
  });

  it("refuses what it cannot follow", async () => {
    const folder = temporaryFolder();
    await assert.rejects(
      following(join(folder, "absent")).ended,
      /^RangeError: Cannot examine a run: no such file or folder: .*absent$/,
    );
    await assert.rejects(
      following(folder, 0).ended,
      /^RangeError: Cannot follow a run: the idle timeout must be above 0 s, got 0\.$/,
    );
  });
});
