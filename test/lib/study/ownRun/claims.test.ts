import assert from "node:assert/strict";
import { ownRunClaims, type OwnRunData } from "turnwise/dist/study/ownRun/lesson";
import type { StoredLanguageRun } from "turnwise/dist/study/languageModel/stored";
import { measured, storedAlarmRuns, storedLanguageRuns, storedRuns } from "turnwise/study";

const stored: OwnRunData = {
  tables: storedRuns(measured("echo-trap")),
  alarmRuns: storedAlarmRuns(measured("echo-trap-alarms")),
  networks: storedLanguageRuns(measured("language-model")),
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
    const [reuse, success, silence, std] = texts({ networks: networks(["unearned silence"]) });
    assert.equal(reuse, "holds");
    assert.equal(silence, "holds");
    assert.equal(success, "holds if policy = table of {table, transformer}");
    assert.equal(std, "no effect that matters", "it is up in none of both kinds, or in all");
  });

  it("are limited to tables where no transformer falls, and then say nothing of alarms", () => {
    assert.deepEqual(texts({ networks: networks([], false) }), [
      "holds if policy = table of {table, transformer}",
    ]);
  });

  it("refuse a verdict on four tables", () => {
    const four = stored.tables.filter(({ seed }) => seed < 4);
    assert.match(texts({ tables: four })[0]!, /^(too few seeds|holds if policy = transformer)/);
  });
});
