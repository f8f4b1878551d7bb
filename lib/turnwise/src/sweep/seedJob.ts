import { train, type TrainOptions, type TrainRecord } from "../train";
import type { JobContext } from "./job";

const GAP_MS = 100;

/**
 * Trains one seed; hands its records on in batches, and all of them at the end.
 *
 * @public
 */
export async function seedJob(options: TrainOptions, { emit }: JobContext): Promise<readonly TrainRecord[]> {
  const records: TrainRecord[] = [];
  let sent = 0;
  let sentAt = performance.now();
  for await (const record of train(options)) {
    records.push(record);
    if (performance.now() - sentAt < GAP_MS) continue;
    emit?.(records.slice(sent));
    sent = records.length;
    sentAt = performance.now();
  }
  return records;
}
