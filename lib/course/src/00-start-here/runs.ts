import { storedTable } from "../shared/storedTable";
import type { StartHereArm } from "./arms";

/** Result of a run of the first lesson's study: the exact return by update. */
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
