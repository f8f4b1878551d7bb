import { storedTable } from "../shared/storedTable";
import type { GrpoArm } from "./arms";

/** What a run of the lesson's study came to: the exact return after so many updates. */
export interface GrpoRun {
  readonly arm: GrpoArm;
  readonly seed: number;
  readonly at40: number;
  readonly at100: number;
}

/** The runs of `datasets/measured/grpo.csv`. */
export function storedGrpoRuns(csv: string): GrpoRun[] {
  return storedTable(csv) as unknown as GrpoRun[];
}
