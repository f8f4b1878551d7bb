import { didYouMean } from "../base/suggest";
import type { Json } from "./json";
import { normalise, trainTask, type Hopeless, type Shard, type SweepPlan, type SweepTask } from "./plan";
import { expectTrainGrid, type OneOrMany, type TrainGrid } from "./trainGrid";

/** How a plan is run. None of this changes a result. */
export interface RunOptions {
  /** Threads; 0 runs the jobs one after the other in this thread. Default: as many as the machine runs at once. */
  readonly workers?: number;
  /** Where each result is appended at once, as a line of JSON. With a file of the same plan, the sweep goes on from there. */
  readonly file?: string;
  /** A part of the jobs, "1/4" to "4/4". */
  readonly shard?: string | Shard;
  readonly signal?: AbortSignal;
}

interface PlanOptions {
  /** A list, or a number n for the seeds 0 .. n-1. */
  readonly seeds: number | readonly number[];
  /** The number that the progress table and `hopeless` look at: a field of a job's value, or one of its metrics. */
  readonly metric?: string;
  readonly hopeless?: Hopeless;
}

interface TaskGrid {
  readonly task: SweepTask;
  readonly grid: Readonly<Record<string, OneOrMany<Json>>>;
}

/** What `sweep` takes: a plan, as a grid of training settings or of a task, and how to run it. */
export type SweepOptions = RunOptions & PlanOptions & (TrainGrid | TaskGrid);

/** Options that do not belong to the grid. */
const others = ["seeds", "metric", "hopeless", "workers", "file", "shard", "signal"];

/**
 * Separates what is computed from how it is run.
 *
 * @throws {RangeError} if a name is unknown or a value out of range
 * @throws {TypeError} if a value has the wrong type
 */
export function planOf(options: SweepOptions): { plan: SweepPlan; run: RunOptions } {
  const { workers, file, shard, signal, seeds, metric, hopeless, ...what } = options;
  const { task, grid } = "task" in what ? taskGrid(what) : { task: trainTask, grid: trainGrid(what) };
  const run: RunOptions = {
    ...(workers === undefined ? {} : { workers }),
    ...(file === undefined ? {} : { file }),
    ...(shard === undefined ? {} : { shard }),
    ...(signal === undefined ? {} : { signal }),
  };
  const plan = normalise({
    task,
    grid,
    seeds: seedsOf(seeds),
    ...(metric === undefined ? {} : { metric }),
    ...(hopeless === undefined ? {} : { hopeless }),
  });
  return { plan, run };
}

/** The check of the plan refuses what is not a number of seeds. */
function seedsOf(seeds: number | readonly number[]): readonly number[] {
  const counted = typeof seeds === "number" && Number.isSafeInteger(seeds) && seeds >= 0;
  return counted ? Array.from({ length: seeds }, (_, i) => i) : (seeds as readonly number[]);
}

function taskGrid({ task, grid, ...rest }: TaskGrid): TaskGrid {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    const known = ["task", "grid", ...others];
    throw new RangeError(
      `Cannot sweep as the options must have only ${known.join(", ")}: got ${unknown}${didYouMean(unknown, known)}`,
    );
  }
  if (task.module === undefined && task.export === trainTask.export) expectTrainGrid(grid);
  return { task, grid };
}

/** The names of curves are one value, not an axis. */
function trainGrid({ curves, ...axes }: TrainGrid): Readonly<Record<string, Json>> {
  const grid = { ...axes, ...(curves ? { curves: [curves] } : {}) };
  expectTrainGrid(grid, others);
  return grid as unknown as Readonly<Record<string, Json>>;
}
