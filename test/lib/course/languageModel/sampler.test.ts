// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { samplerRecipe, samplerRunsToCsv } from "turnwise-course/internal/10-language-model/samplerRun";
import { measured } from "turnwise-course";
import {
  drawClip,
  mismatchInTraining,
  storedLanguageRuns,
  storedSamplerRuns,
} from "turnwise-course/language-model";
import {
  samplerClaims,
  samplerStudy,
  studyRuns,
  type SamplerArm,
} from "turnwise-course/internal/10-language-model/samplerStudy";

describe("a rounded sampler while a model is trained on it", () => {
  const runs = storedSamplerRuns(measured("language-sampler"));
  const finals = (bits: number, remedy: string): number[] =>
    runs
      .filter((run) => run.bits === bits && run.remedy === remedy && run.seed < 10)
      .map(({ final }) => final);
  const study = (arm: SamplerArm): number[] => studyRuns(runs, arm).map(({ final }) => final);

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

  it("has forty seeds of each arm of the study, twenty to find and twenty to confirm, none of them among those that raised the question", () => {
    const { from, confirmFrom, to } = samplerStudy.seeds;
    assert.ok(from >= 10);
    assert.deepEqual([confirmFrom - from, to - confirmFrom], [20, 20]);
    for (const arm of Object.keys(samplerStudy.arms) as SamplerArm[])
      assert.deepEqual(
        studyRuns(runs, arm).map(({ seed }) => seed),
        Array.from({ length: 40 }, (_, i) => from + i),
        arm,
      );
  });

  it("keeps three bits from learning by the clip, as lesson 10 says: its verdicts", () => {
    const { rounding, cause, rest } = samplerClaims(runs);
    assert.deepEqual(
      [rounding, cause, rest].map(({ verdict }) => verdict.text),
      ["holds", "holds", "not shown"],
    );
    const learned = (arm: SamplerArm): number => study(arm).filter((final) => final > 0.75).length;
    const arms = ["exact", "clipped", "open", "recomputed"] as const;
    assert.deepEqual(arms.map(learned), [34, 0, 34, 35]);
  });

  it("does not confirm in the second half what only the first half has", () => {
    const { confirmFrom } = samplerStudy.seeds;
    const spoiled = runs.map((run) =>
      run.remedy === "open" && run.seed >= confirmFrom ? { ...run, final: 0.3 } : run,
    );
    assert.notEqual(samplerClaims(spoiled).cause.verdict.text, "holds");
  });

  it("starts every arm of three bits with the same model, so that its tokens outside the window are no effect of the rule", () => {
    const at = (arm: SamplerArm): number[] => studyRuns(runs, arm).map((run) => run.outsideAtStart);
    assert.deepEqual(at("open"), at("clipped"));
    assert.deepEqual(at("recomputed"), at("clipped"));
  });

  it("overrates what it draws: the least ratio is further from 1 than the largest", () => {
    const [exact, ...rounded] = mismatchInTraining(runs);
    assert.deepEqual([exact!.least, exact!.largest], [1, 1]);
    for (const { training, least, largest } of rounded)
      assert.ok(1 / least > largest, `${training}: ${String(least)}, ${String(largest)}`);
  });

  it("counts in the table the models that the lesson says have learned", () => {
    // Those that solve more than three of four tasks; lesson 10, section 5, quotes 34, 0, 34 and 35.
    const counts = mismatchInTraining(runs).map(({ training, learned }) => [training, learned]);
    assert.deepEqual(
      counts.filter(([training]) => !training!.startsWith("4 bits")).map(([, learned]) => learned),
      ["34 of 40", "0 of 40", "34 of 40", "35 of 40"],
    );
  });

  it("is drawn with the means of its arms as the title", () => {
    const mean = (arm: SamplerArm): string => (study(arm).reduce((a, b) => a + b) / 40).toFixed(2);
    const { title } = drawClip(runs).spec as unknown as { title: { text: string } };
    assert.equal(
      title.text,
      `Three bits: ${mean("clipped")} with the clip, ${mean("open")} with the clip wide open`,
    );
  });

  it("is the same after it was written and read", () => {
    assert.deepEqual(storedSamplerRuns(samplerRunsToCsv(runs)), runs);
  });

  it("is trained with a clip that never binds, or with old log-probs of the trainer", () => {
    assert.equal(samplerRecipe("recomputed").order.oldLogProb, "recomputed");
    assert.deepEqual(samplerRecipe("open").gate, { kind: "clip", clipLow: 0.999, clipHigh: 1000 });
  });
});
