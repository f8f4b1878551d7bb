import { DelayedProgressBar } from "turnwise/internal/base/delayedProgressBar";
import { onInterrupt } from "turnwise/internal/base/session";
import type { TrainRecord, TrainRun } from "turnwise/internal/train/index";

/** All records of a run, with a bar where it takes long; an interrupt ends it with the records so far. */
export async function recordsOf(run: TrainRun): Promise<readonly TrainRecord[]> {
  const bar = new DelayedProgressBar({ total: run.updates, metric: "success/mean" });
  const records: TrainRecord[] = [];
  let stopped = false;
  const unlisten = onInterrupt(() => (stopped = true));
  try {
    for await (const record of run) {
      records.push(record);
      bar.add(record.metrics);
      if (stopped) break;
    }
  } finally {
    unlisten();
    bar.end();
  }
  return records;
}
