import { DelayedProgressBar } from "turnwise/internal/base/delayedProgressBar";
import { onInterrupt } from "turnwise/internal/base/session";
import type { Json } from "turnwise/internal/sweep/json";
import { sweep, SweepError, type SweepRun } from "turnwise/internal/sweep/sweep";
import type { TwinCell, TwinRun } from "./job";

/** Options of training the settings. None of them changes a result. */
export interface HowToRun {
  readonly workers?: number;
  readonly signal?: AbortSignal;
  readonly bar?: boolean;
}

/** The training runs, by setting. */
export interface TrainedCells {
  readonly runs: ReadonlyMap<string, readonly TwinRun[]>;
  readonly stopped: boolean;
  readonly done: number;
  readonly planned: number;
}

/**
 * Trains cells on worker threads, with a bar. What is done when it is interrupted is kept.
 *
 * @throws {RangeError} if a setting cannot be trained
 */
export async function trainCells(
  cells: readonly TwinCell[],
  seeds: number,
  label: string,
  { workers, signal, bar = true }: HowToRun,
): Promise<TrainedCells> {
  const planned = cells.length * seeds;
  if (cells.length === 0) return { runs: new Map(), stopped: false, done: 0, planned };
  const shown = new DelayedProgressBar({ total: planned, label, shown: bar });
  const run: SweepRun<TwinRun> = sweep<TwinRun>({
    task: { module: "turnwise-practice/internal/twin/job", export: "twinJob" },
    grid: { cell: cells as unknown as Json[] },
    seeds,
    ...(workers !== undefined && { workers }),
    ...(signal !== undefined && { signal }),
  });
  let counted = 0;
  const quiet = run.onProgress(() => {
    const { length } = run.results;
    while (counted < length) {
      counted += 1;
      shown.add({});
    }
  });
  const listening = onInterrupt(() => void run.stop());
  try {
    const { results, stopped } = await run;
    const runs = new Map<string, TwinRun[]>(cells.map(({ id }) => [id, []]));
    for (const { value } of results) runs.get(value.id)!.push(value);
    return { runs, stopped, done: results.length, planned };
  } catch (error) {
    if (!(error instanceof SweepError)) throw error;
    throw new RangeError(`Cannot train a twin: ${String(error.errors[0]?.error.message)}`, { cause: error });
  } finally {
    listening();
    quiet();
    shown.end();
  }
}
