import { mean } from "turnwise/internal/base/statistics";
import type { JobContext } from "turnwise/internal/sweep/job";
import { enumeratedRates, trainSetting, type EnumeratedSetting } from "./design";
import type { Outcome } from "./outcome";

/** A run of the study. */
export interface EnumeratedJob {
  readonly cell: EnumeratedSetting & { readonly rate: number };
  readonly seed: number;
}

/** Its outcome, and its cost. */
export interface EnumeratedRun extends EnumeratedSetting, Outcome {
  readonly rate: number;
  readonly seed: number;
}

/** The columns of `datasets/measured/systems-enumerated.csv`. */
export const enumeratedColumns = [
  "system",
  "condition",
  "arm",
  "rate",
  "seed",
  "success",
  "second",
  "trained",
  "samples",
  "steps",
  "optimizerSteps",
] as const satisfies readonly (keyof EnumeratedRun)[];

/** Trains a setting at a rate, from a seed. */
export async function enumeratedRun(
  { cell: { system, condition, arm, rate }, seed }: EnumeratedJob,
  report: (fraction: number) => void = () => undefined,
): Promise<EnumeratedRun> {
  const setting = { system, condition, arm };
  return { ...setting, rate, seed, ...(await trainSetting(setting, { rate, seed, report })) };
}

/** The rate whose runs on the seeds of the tuning earn most where they were trained; of equals, the smallest. */
export function enumeratedRate(
  tuning: readonly Pick<EnumeratedRun, "system" | "condition" | "arm" | "rate" | "trained">[],
  { system, condition, arm }: EnumeratedSetting,
): number {
  const own = tuning.filter((run) => run.system === system && run.condition === condition && run.arm === arm);
  const meanAt = (rate: number): number =>
    mean(own.filter((run) => run.rate === rate).map(({ trained }) => trained));
  return enumeratedRates.reduce(
    (best, rate) => (meanAt(rate) > meanAt(best) ? rate : best),
    enumeratedRates[0],
  );
}

/**
 * `enumeratedRun` as a job of a sweep.
 *
 * @public
 */
export function enumeratedJob(job: EnumeratedJob, { report }: JobContext): Promise<EnumeratedRun> {
  return enumeratedRun(job, report);
}
