import type { MetricName } from "../base/glossary";
import type { PolicyOptions } from "../policy/create";
import type { Recipe, RecipeName } from "../rule";
import type { Json } from "./json";
import { normalise, trainTask, type Hopeless, type Shard, type SweepPlan, type SweepTask } from "./plan";

/** A value, or an axis of values. */
export type OneOrMany<X> = X | readonly X[];

/** How a plan is run: none of this changes a result. */
export interface RunOptions {
  /** Threads; 0 runs the jobs one after the other in this thread. Default: as many as the machine runs at once. */
  readonly workers?: number;
  /** Results as JSON lines, appended at once; a file of the same plan is gone on with. */
  readonly file?: string;
  /** A part of the jobs, "1/4" to "4/4". */
  readonly shard?: string | Shard;
  readonly signal?: AbortSignal;
}

interface PlanOptions {
  /** A list, or a number n for the seeds 0 .. n-1. */
  readonly seeds: number | readonly number[];
  /** What the progress table and `hopeless` look at: a field of a job's value, or one of its metrics. */
  readonly metric?: string;
  readonly hopeless?: Hopeless;
}

/** Options of `train`, each a value or an axis. */
export interface TrainGrid {
  readonly recipe: OneOrMany<RecipeName | Recipe>;
  readonly env: OneOrMany<string>;
  readonly envOptions?: OneOrMany<Readonly<Record<string, Json>>>;
  readonly policy?: OneOrMany<PolicyOptions>;
  readonly updates: OneOrMany<number>;
  readonly groups?: OneOrMany<number>;
  readonly groupSize?: OneOrMany<number>;
  readonly temperature?: OneOrMany<number>;
  readonly evaluateExact?: OneOrMany<boolean | number>;
  /** Metrics are averaged over so many last records; 20 unless told. */
  readonly last?: OneOrMany<number>;
  /** Metrics whose every record is kept, for learning curves. */
  readonly curves?: readonly MetricName[];
}

interface TaskGrid {
  readonly task: SweepTask;
  readonly grid: Readonly<Record<string, OneOrMany<Json>>>;
}

export type SweepOptions = RunOptions & PlanOptions & (TrainGrid | TaskGrid);

/** Splits what is computed from how it is run. */
export function planOf(options: SweepOptions): { plan: SweepPlan; run: RunOptions } {
  const { workers, file, shard, signal, seeds, metric, hopeless, ...what } = options;
  const { task, grid } = "task" in what ? what : { task: trainTask, grid: trainGrid(what) };
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

/** What is no number of seeds is left to the check of the plan. */
function seedsOf(seeds: number | readonly number[]): readonly number[] {
  const counted = typeof seeds === "number" && Number.isSafeInteger(seeds) && seeds >= 0;
  return counted ? Array.from({ length: seeds }, (_, i) => i) : (seeds as readonly number[]);
}

/** The names of curves are one value, and no axis. */
function trainGrid({ curves, ...grid }: TrainGrid): Readonly<Record<string, Json>> {
  return { ...grid, ...(curves ? { curves: [curves] } : {}) } as unknown as Readonly<Record<string, Json>>;
}
