import { storedTable } from "../shared/storedTable";
import type { StartHereArm } from "./arms";

/** What a run of the first lesson's study came to: the exact return after so many updates. */
export interface StartHereRun {
  readonly arm: StartHereArm;
  readonly seed: number;
  readonly at40: number;
  readonly at100: number;
}

/** The runs of `datasets/measured/start-here.csv`. */
export function storedStartHereRuns(csv: string): StartHereRun[] {
  return storedTable(csv) as unknown as StartHereRun[];
}
