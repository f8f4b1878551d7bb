import type { Json } from "turnwise/internal/sweep/json";
import type { RunOptions } from "turnwise/internal/sweep/options";
import { sweep, type SweepResult, type SweepRun } from "turnwise/internal/sweep/sweep";
import type { LanguageResult } from "../shared/languageRuns/job";
import type { LanguageCell } from "./languageRun";
import type { StoredLanguageRun } from "../shared/languageRuns/stored";

const rules = ["grpo", "seeUpo"] as const;

/** Demonstrators of every skill, with both rules, in both worlds; samplers of few bits; and heavy reuse. */
export const languageParts = Object.freeze({
  planted: [0, 0.1, 0.2, 0.3, 0.5].flatMap((skill) =>
    rules.map((rule): LanguageCell => ({ world: "calculator", skill, rule })),
  ),
  search: [0, 0.5, 0.8].flatMap((skill) =>
    rules.map((rule): LanguageCell => ({ world: "searchQa", skill, rule })),
  ),
  bits: [8, 4, 3, 2].map((bits): LanguageCell => ({ world: "calculator", skill: 0.3, rule: "grpo", bits })),
  reuse: [{ world: "calculator", skill: 0.3, rule: "grpo", reuse: true }] as readonly LanguageCell[],
});

/** The name of a part of the grid. */
export type LanguagePart = keyof typeof languageParts;

/** Seeds of a cell: an alarm needs many falls to be judged. */
export const languageSeeds = (part: LanguagePart): number => (part === "reuse" ? 40 : 10);

/** Runs a part of the grid over worker threads; with `file`, goes on where it was interrupted. */
export function languageSweep(part: LanguagePart, options: RunOptions = {}): SweepRun<LanguageResult> {
  const cell = languageParts[part].map((own) => ({
    name: nameOf(own),
    ...own,
  })) as unknown as readonly Json[];
  return sweep({
    task: { module: "turnwise-course/jobs", export: "languageJob" },
    grid: { cell },
    seeds: languageSeeds(part),
    metric: "final",
    ...options,
  });
}

/** Results of a sweep of a part, as stored runs. */
export function languageRows(
  part: LanguagePart,
  results: readonly SweepResult<LanguageResult>[],
): readonly StoredLanguageRun[] {
  const cells = languageParts[part];
  return results.map(({ cell, seed, value }) => {
    // A sweep of one cell has no axis and so no name for it.
    const own = cells.find((each) => cells.length === 1 || nameOf(each) === cell["cell"])!;
    return { reuse: false, bits: 0, ...own, seed, ...value };
  });
}

/** Name of a setting in a sweep's results. */
function nameOf({ world, skill, rule, reuse, bits }: LanguageCell): string {
  const extra = [...(reuse ? ["reuse"] : []), ...(bits === undefined ? [] : [`${bits} bits`])];
  return [world, `skill ${skill}`, rule, ...extra].join(", ");
}
