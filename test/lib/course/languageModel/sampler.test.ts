// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { samplerRecipe, samplerRunsToCsv } from "turnwise-course/internal/10-language-model/samplerRun";
import { measured } from "turnwise-course";
import { mismatchInTraining, storedLanguageRuns, storedSamplerRuns } from "turnwise-course/language-model";

describe("a rounded sampler while a model is trained on it", () => {
  const runs = storedSamplerRuns(measured("language-sampler"));
  const finals = (bits: number, remedy: string): number[] =>
    runs.filter((run) => run.bits === bits && run.remedy === remedy).map(({ final }) => final);

  it("is stored with the same ends as the runs of lesson 10, as the looks at it change nothing", () => {
    const plain = storedLanguageRuns(measured("language-model"));
    for (const bits of [4, 3]) {
      const theirs = plain.filter((run) => run.skill === 0.3 && run.rule === "grpo" && run.bits === bits);
      assert.deepEqual(
        finals(bits, "none"),
        theirs.map(({ final }) => final),
      );
    }
  });

  it("keeps three bits from learning by the clip alone, as lesson 10 says", () => {
    assert.ok(finals(3, "none").every((final) => final < 0.75));
    for (const remedy of ["open", "recomputed"]) {
      assert.equal(finals(3, remedy).length, 10);
      assert.ok(
        finals(3, remedy).every((final) => final > 0.75),
        remedy,
      );
    }
  });

  it("overrates what it draws: the least ratio is further from 1 than the largest", () => {
    for (const { training, least, largest } of mismatchInTraining(runs))
      assert.ok(1 / least > largest, `${training}: ${String(least)}, ${String(largest)}`);
  });

  it("is the same after it was written and read", () => {
    assert.deepEqual(storedSamplerRuns(samplerRunsToCsv(runs)), runs);
  });

  it("is trained with a clip that never binds, or with old log-probs of the trainer", () => {
    assert.equal(samplerRecipe("recomputed").order.oldLogProb, "recomputed");
    assert.deepEqual(samplerRecipe("open").gate, { kind: "clip", clipLow: 0.999, clipHigh: 1000 });
  });
});
