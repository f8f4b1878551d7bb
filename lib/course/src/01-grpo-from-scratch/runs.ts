import { storedTable } from "../shared/storedTable";
import type { GrpoArm } from "./arms";

/** Result of a run of the lesson's study: the exact return by update. */
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
