// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { bootstrapInterval } from "turnwise";
import type { StoredLanguageRun } from "turnwise-course/internal/shared/languageRuns/stored";
import { claims, measured } from "turnwise-course";
import { storedLanguageRuns } from "turnwise-course/language-model";
import { claimOf, storedLedger } from "./storedLedger";

const shown = (values: readonly number[]): string => {
  const { mean, low, high } = bootstrapInterval(values);
  return `${mean.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
};

describe("lesson 10, a small language model", function () {
  this.timeout(60_000);
  const rows = storedLedger("10-language-model");
  const runs = storedLanguageRuns(measured("language-model"));
  const of = (world: StoredLanguageRun["world"], skill: number, rule: StoredLanguageRun["rule"], bits = 0) =>
    runs.filter(
      (run) =>
        run.world === world && run.skill === skill && run.rule === rule && run.bits === bits && !run.reuse,
    );
  const finals = (...cell: Parameters<typeof of>): number[] => of(...cell).map(({ final }) => final);
  const has = (words: string, expected: string): void => {
    const { measured: text } = claimOf(rows, words);
    assert.ok(text.includes(expected), `${expected} in: ${text}`);
  };
  const reused = runs.filter(({ reuse }) => reuse);

  it("shows the ledger that the stored runs give", () => {
    assert.deepEqual(
      rows.map(({ claim, measured: text, verdict }) => [claim, text, String(verdict)]),
      claims.languageModel.map(({ claim, measured: text, verdict }) => [claim, text, verdict.text]),
    );
  });

  it("gives each claim its figure, from ten seeds of each cell and forty under heavy reuse", () => {
    assert.equal(reused.length, 40);
    has("Reward teaches", shown(finals("calculator", 0.3, "grpo")));
    has("Reward teaches", shown(of("searchQa", 0.5, "grpo").map(({ start }) => start)));
    has("Reward teaches", shown(finals("searchQa", 0.8, "seeUpo")));
    has("Reward finds", `GRPO ${shown(finals("calculator", 0, "grpo"))}`);
    has("A sampler", `3 bits ${shown(finals("calculator", 0.3, "grpo", 3))}`);
    has("Many steps", `24 steps: ${reused.filter(({ fall }) => fall !== null).length} of 40 fall`);
  });

  it("says in words what the stored runs are", () => {
    const learned = (values: readonly number[]): number => values.filter((x) => x > 0.75).length;
    // Section 3: none with skill 0 or 0.1, some with 0.2, all with 0.3.
    assert.deepEqual(
      [0, 0.1, 0.2, 0.3, 0.5].map((skill) => learned(finals("calculator", skill, "grpo"))),
      [0, 0, 7, 10, 10],
    );
    // Section 5: with four bits all ten learn, with three not one does.
    assert.deepEqual(
      [8, 4, 3, 2].map((bits) => learned(finals("calculator", 0.3, "grpo", bits))),
      [10, 10, 0, 0],
    );
    // Section 6: 26 of 40 fell, most are back above three of four at the end, none of ten fell with two steps.
    const fell = reused.filter(({ fall }) => fall !== null);
    assert.equal(fell.length, 26);
    assert.ok(learned(fell.map(({ final }) => final)) > fell.length / 2);
    assert.ok(of("calculator", 0.3, "grpo").every(({ fall }) => fall === null));
  });
});
