import assert from "node:assert/strict";
import { ownRunClaims, type OwnRunData } from "turnwise-course/internal/11-your-own-run/lesson";
import { trlRuns, type TrlRun } from "turnwise-course/internal/11-your-own-run/trlRuns";
import type { StoredLanguageRun } from "turnwise-course/internal/shared/languageRuns/stored";
import { measured } from "turnwise-course";
import { storedAlarmRuns, storedRuns } from "turnwise-course/echo-trap";
import { storedLanguageRuns } from "turnwise-course/language-model";

const stored: OwnRunData = {
  tables: storedRuns(measured("echo-trap")),
  alarmRuns: storedAlarmRuns(measured("echo-trap-alarms")),
  networks: storedLanguageRuns(measured("language-model")),
  lookUps: trlRuns(measured("trl-lookup")),
};
const judged = ["unearned silence", "std cliff", "entropy cliff", "success itself"];

/** Forty transformers of which every second one falls, with alarms that are up before a fall or never. */
const networks = (up: readonly string[], falls = true): StoredLanguageRun[] =>
  Array.from({ length: 40 }, (_, seed): StoredLanguageRun => {
    const fall = falls && seed % 2 === 0 ? 70 : null;
    const length = fall === null ? 400 : 60;
    const level = (name: string): number[] =>
      new Array<number>(length).fill(fall !== null && up.includes(name) ? 3 : 0);
    return {
      ...{ world: "calculator", skill: 0.3, rule: "grpo", reuse: true, bits: 0, seed, updates: 400 },
      ...{ wellFormed: 0.99, start: 0.25, final: 0.9, best: 0.96, entropy: [0.4, 0.02], tokens: [8, 10] },
      ...{ rose: true, fall, onset: fall === null ? null : 61 },
      levels: Object.fromEntries(judged.map((name) => [name, level(name)])),
    };
  });

const texts = (change: Partial<OwnRunData>): string[] =>
  ownRunClaims({ ...stored, ...change }).map(({ verdict }) => verdict.text);

describe("the claims about one's own run", () => {
  it("hold in transformers, too, where transformers show what tables did", () => {
    const [, , reuse, success, silence, std] = texts({ networks: networks(["unearned silence"]) });
    assert.equal(reuse, "holds");
    assert.equal(silence, "holds");
    assert.equal(success, "holds if policy = table of {table, transformer}");
    assert.equal(std, "no effect that matters", "it is up in none of both kinds, or in all");
  });

  it("are limited to tables where no transformer falls, and then say nothing of alarms", () => {
    assert.deepEqual(texts({ networks: networks([], false) }).slice(2), [
      "holds if policy = table of {table, transformer}",
    ]);
  });

  it("refuse a verdict on four tables", () => {
    const four = stored.tables.filter(({ seed }) => seed < 4);
    assert.equal(texts({ tables: four })[2], "holds if policy = transformer of {table, transformer}");
  });

  it("say that rewards are the same where every episode is, and that three seeds are too few to say who learns", () => {
    assert.deepEqual(texts({}).slice(0, 2), ["holds", "too few seeds"]);
    const lookUps = stored.lookUps.map((run, i) => (i === 0 ? { ...run, same: run.same - 1 } : run));
    assert.equal(texts({ lookUps })[0], "refuted");
  });

  it("would say that both trainers teach the look-up, or which one does, on ten seeds each", () => {
    const ten = (trainer: TrlRun["trainer"], end: number): TrlRun[] =>
      Array.from({ length: 10 }, (_, seed): TrlRun => {
        const rewards = new Array<number>(30).fill(end + seed / 1000);
        return { trainer, seed, rewards, episodes: 1, same: 1 };
      });
    const told = (theirs: number): string =>
      texts({ lookUps: [...ten("TRL", theirs), ...ten("turnwise", 0.9)] })[1]!;
    assert.equal(told(0.9), "holds");
    assert.equal(told(0.1), "holds if trainer = turnwise of {TRL, turnwise}");
  });
});
