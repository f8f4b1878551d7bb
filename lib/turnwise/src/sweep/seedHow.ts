import type { TrainOptions, TrainRecord } from "../train";
import type { Runs } from "./runsOf";

/** A chart to which records are added as they come; `series` is the name of the rule. */
export interface SeedChart {
  add(record: TrainRecord, series?: string, seed?: number): unknown;
}

export type SeedOptions = Omit<TrainOptions, "seed" | "resume">;

/** Options of training seeds, and its observers. None of this changes a record. */
export interface SeedRunOptions {
  /**
   * Threads; 0 or 1 trains one seed after the other in this thread. Default: this thread, and as many threads as the
   * machine runs at once as soon as that saves more time than starting them takes.
   */
  readonly workers?: number;
  /** Seeds that are finished already, such as those of a call that was interrupted: only the others are trained. */
  readonly resume?: Runs;
  /** A chart that gets every record as it comes, such as `liveCurve({ metric: "return/exact" })`: its band grows. */
  readonly chart?: SeedChart;
  /** Hears of every record. Records of one seed come in order, those of several seeds as they are made. */
  readonly onRecord?: (record: TrainRecord, seed: number) => void;
  /** Whether work of more than a second shows a bar, in a notebook or on a terminal. Default true. */
  readonly bar?: boolean;
}
