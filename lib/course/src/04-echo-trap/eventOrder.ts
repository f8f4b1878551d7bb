import { mean, median } from "turnwise/internal/base/statistics";
import { BEFORE } from "./aroundTheFall";
import type { StoredRun } from "../shared/echoTrap/stored";

/** When one of the events of a trap happened, over runs. */
export interface EventTimes {
  readonly event: "entropyCliff" | "stdCliff" | "burst" | "onset" | "fall";
  readonly label: string;
  /** The update in every run in which it happened. */
  readonly at: readonly number[];
  readonly median: number;
  /** Quartiles. */
  readonly low: number;
  readonly high: number;
}

/** Order of events in the runs. Counts are numbers of runs. */
export interface EventOrder {
  readonly runs: number;
  /** Events that happened in some run. */
  readonly events: readonly EventTimes[];
  readonly entropyFirst: number;
  readonly stdFirst: number;
  /** Runs in which entropy and in-group std fell at the same update. */
  readonly together: number;
  readonly fell: number;
  /** Falls after which the run did not end collapsed. */
  readonly recovered: number;
  readonly burst: LookingBack;
  readonly spike: LookingBack;
}

/** Frequency of an event in the 10 updates before the onset of a fall, compared with 10 updates of the same run before no fall. */
export interface LookingBack {
  /** Falls with the event in the 10 updates before their onset. */
  readonly before: number;
  /** Each fall whose run has control windows: whether the event came before, and the share of the windows that have it. */
  readonly pairs: readonly { readonly before: 0 | 1; readonly base: number }[];
  /** Mean over runs, fallen or not, of the share of control windows that have the event; NaN without any. */
  readonly base: number;
}

const labels = {
  entropyCliff: "entropy below 25 % of its start",
  stdCliff: "in-group std below .05",
  burst: "last KL burst before the drop",
  onset: "the drop begins",
  fall: "success below 75 % of its best",
} as const;

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
    recovered: fallen.filter(({ collapsed }) => !collapsed).length,
    burst: lookBack(runs, "burst", "burstWindows"),
    spike: lookBack(runs, "spike", "spikeWindows"),
  };
}

function lookBack(
  runs: readonly StoredRun[],
  event: "burst" | "spike",
  windows: "burstWindows" | "spikeWindows",
): LookingBack {
  const isBefore = ({ onset, [event]: at }: StoredRun): boolean =>
    onset !== null && at !== null && onset - at <= BEFORE;
  const watched = runs.filter((run) => run.windows > 0);
  const baseOf = (run: StoredRun): number => run[windows] / run.windows;
  return {
    before: runs.filter(isBefore).length,
    pairs: watched
      .filter(({ onset }) => onset !== null)
      .map((run) => ({ before: isBefore(run) ? 1 : 0, base: baseOf(run) })),
    base: watched.length === 0 ? NaN : mean(watched.map(baseOf)),
  };
}
