// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { createPolicy, make } from "turnwise";
import { languageRun, tinyTransformer } from "turnwise-course/internal/10-language-model/languageRun";
import {
  languageRunsToCsv,
  type StoredLanguageRun,
} from "turnwise-course/internal/shared/languageRuns/stored";
import { samplerRun, samplerRunsToCsv } from "turnwise-course/internal/10-language-model/samplerRun";
import { measured } from "turnwise-course";
import { storedLanguageRuns, storedSamplerRuns } from "turnwise-course/language-model";

describe("lesson 10, a small language model", function () {
  this.timeout(60_000);

  it("computes a stored run again, to every stored digit where the kernels have the same bits", async () => {
    const [world, skill, rule, seed] = ["calculator", 0.3, "grpo", 4] as const;
    const stored = storedLanguageRuns(measured("language-model")).find(
      (run) =>
        run.world === world &&
        run.skill === skill &&
        run.rule === rule &&
        run.bits === 0 &&
        !run.reuse &&
        run.seed === seed,
    )!;
    const again = {
      world,
      skill,
      rule,
      seed,
      reuse: false,
      bits: 0,
      ...(await languageRun({ world, skill, rule, seed })),
    };
    const text = (run: StoredLanguageRun): string => languageRunsToCsv([run]);
    const { computeKind } = createPolicy(make("LookUp-v0").spec, tinyTransformer);
    if (computeKind === "wasm") assert.equal(text(again), text(stored));
    else assert.ok(again.final > 0.75 && stored.final > 0.75, `${computeKind}: ${again.final}`);
  });

  it("computes a stored run on a rounded sampler again, looks at the mismatch included", async () => {
    const stored = storedSamplerRuns(measured("language-sampler")).find(
      (run) => run.bits === 3 && run.remedy === "recomputed" && run.seed === 4,
    )!;
    const again = await samplerRun({ bits: 3, remedy: "recomputed", seed: 4 });
    const { computeKind } = createPolicy(make("LookUp-v0").spec, tinyTransformer);
    if (computeKind === "wasm") assert.equal(samplerRunsToCsv([again]), samplerRunsToCsv([stored]));
    else assert.ok(again.final > 0.75, String(again.final));
  });
});
