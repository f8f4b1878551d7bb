import { measured } from "../../shared/measured";
import { storedTable } from "../../shared/storedTable";
import type { EngineName, MismatchArm } from "./arms";

/** A stored run of the study on mismatch. */
export interface MismatchRun {
  readonly engine: EngineName;
  readonly arm: MismatchArm;
  readonly seed: number;
  /** Exact return in the end, and as a mean over ten points of the run. */
  readonly end: number;
  readonly mean: number;
  /** 1 where the run stopped with numbers that were not finite. */
  readonly stopped: number;
}

/**
 * The runs of `datasets/measured/mismatch.csv`: six corrections under six rollout engines, 40 seeds each.
 *
 * @example
 * import { mismatchRuns } from "turnwise-course/off-policy-stability";
 * mismatchRuns().length; // => 1440
 */
export const mismatchRuns = (): MismatchRun[] =>
  storedTable(measured("mismatch")) as unknown as MismatchRun[];
