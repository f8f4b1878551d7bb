import type { SignalName } from "./signals";

/** The curves that are shown. */
export const curveNames = ["success", "equal", "std", "gradient"] as const;
export type CurveName = (typeof curveNames)[number];

/** A run of the pool. */
export interface PoolRun {
  readonly setting: string;
  readonly seed: number;
  /** The update at which its success fell; null if it held. */
  readonly onset: number | null;
  /** The last update that is shown. */
  readonly last: number;
  /** Values from the first update that is shown on; success goes on after the last one. */
  readonly curves: Readonly<Record<CurveName, readonly number[]>>;
  /** The highest level of each signal in the last 25 updates, by which it bets. */
  readonly level: Readonly<Record<SignalName, number>>;
  /** The update at which it first had that level there; 0 where that is none. */
  readonly reached: Readonly<Record<SignalName, number>>;
}

/** An area under the ROC curve with its 95% interval. */
export interface Area {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** All runs that a round may show, and what each signal is worth on all of them. */
export interface Pool {
  readonly runs: readonly PoolRun[];
  readonly areas: Readonly<Record<SignalName, Area>>;
  /** The thresholds of each signal's alarm: a level is the number of those that it is beyond. */
  readonly ladders: Readonly<Record<SignalName, readonly number[]>>;
}
