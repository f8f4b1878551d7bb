import { short } from "turnwise/internal/base/curve";
import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import { earlyLossOf, hasStayedFlat, isUnfinished } from "./learned";
import { stillOf } from "./still";

/** Reasons, in words, for which a run is not known to be well although no mean of its success has fallen. */
export function doubtsOf(records: readonly MonitorRecord[]): string[] {
  const lost = earlyLossOf(records);
  if (lost !== undefined)
    return [
      `success was ${short(lost.before)} at first and is ${short(lost.after)} from step ${lost.at} on: it fell before a mean of ten steps could show it`,
    ];
  const still = stillOf(records).map(
    (words) => `${words} is 0 to the end: nothing was learned, so nothing could fall`,
  );
  if (still.length > 0) return still;
  if (isUnfinished(records)) return ["nearly all answers are cut, and success has not risen"];
  return hasStayedFlat(records)
    ? ["success is where it began: nothing was learned, so nothing could fall"]
    : [];
}
