import { median } from "../../base/statistics";
import type { StoredRun } from "./stored";

/** When one of the events of a trap happened, over runs. */
export interface EventTimes {
  readonly event: "entropyCliff" | "stdCliff" | "burst" | "fall";
  readonly label: string;
  /** The update in every run in which it happened. */
  readonly at: readonly number[];
  readonly median: number;
  /** Quartiles. */
  readonly low: number;
  readonly high: number;
}

/** What runs say about the order of events. Counts are numbers of runs. */
export interface EventOrder {
  readonly runs: number;
  /** Events that happened in some run. */
  readonly events: readonly EventTimes[];
  readonly entropyFirst: number;
  readonly stdFirst: number;
  /** Runs in which entropy and in-group std fell at the same update. */
  readonly together: number;
  readonly fell: number;
  /** Falls whose last burst of KL was at most 10 updates before. */
  readonly burstBefore: number;
  /** Falls after which the run did not end collapsed. */
  readonly recovered: number;
}

const labels = {
  entropyCliff: "entropy below 25 % of its start",
  stdCliff: "in-group std below .05",
  burst: "last KL burst before the fall",
  fall: "success below 75 % of its best",
} as const;

const BEFORE = 10;

/**
 * The order of events over runs, such as those of trap A. A run that lacks one of two events counts for neither order.
 */
export function eventOrder(runs: readonly StoredRun[]): EventOrder {
  const events = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((event): EventTimes[] => {
    const at = runs.flatMap((run) => run[event] ?? []).sort((a, b) => a - b);
    if (at.length === 0) return [];
    const quantile = (q: number): number => at[Math.round(q * (at.length - 1))]!;
    const label = `${labels[event]} (${at.length} of ${runs.length})`;
    return [{ event, label, at, median: median(at), low: quantile(0.25), high: quantile(0.75) }];
  });
  const cliffs = runs.flatMap(({ entropyCliff, stdCliff }) =>
    entropyCliff === null || stdCliff === null ? [] : [entropyCliff - stdCliff],
  );
  const fallen = runs.filter(({ fall }) => fall !== null);
  return {
    runs: runs.length,
    events,
    entropyFirst: cliffs.filter((lead) => lead < 0).length,
    stdFirst: cliffs.filter((lead) => lead > 0).length,
    together: cliffs.filter((lead) => lead === 0).length,
    fell: fallen.length,
    burstBefore: fallen.filter(({ burst, fall }) => burst !== null && fall! - burst <= BEFORE).length,
    recovered: fallen.filter(({ collapsed }) => !collapsed).length,
  };
}
