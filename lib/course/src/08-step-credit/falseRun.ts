import type { JobContext } from "turnwise/internal/sweep/job";
import { stepRun, type StepJob, type StepResult } from "./stepRun";

/**
 * Settings in which false steps are counted: FSPO in two worlds, in one of them also with an agent that can read, and
 * votes in the second world.
 */
export const falseSettings = Object.freeze({
  LookUp: { world: "LookUp-v0", arm: "verdict on the sign", reading: 0 },
  "LookUp, can read": { world: "LookUp-v0", arm: "verdict on the sign", reading: 2 },
  Calculator: { world: "Calculator-v0", arm: "verdict on the sign", reading: 0 },
  "Calculator, votes": { world: "Calculator-v0", arm: "votes", reading: 0 },
} satisfies Readonly<Record<string, Pick<StepJob, "world" | "arm" | "reading">>>);
/** The name of a setting. */
export type FalseSetting = keyof typeof falseSettings;

/** A run with a judge that never errs, or of the same rule without it. */
export interface FalseJob extends Pick<StepJob, "paid" | "seed" | "updates"> {
  readonly setting: FalseSetting;
}

/**
 * `stepRun` in one of the settings, as a job of a sweep.
 *
 * @public
 */
export function falseJob({ setting, ...job }: FalseJob, { report }: JobContext): Promise<StepResult> {
  return stepRun({ ...falseSettings[setting], ...job }, report);
}
