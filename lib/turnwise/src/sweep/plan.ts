import { machine } from "#machine";
import { parseLine, toLine, type Json } from "./json";
import { currentMetric } from "../base/deprecatedMetrics";
import { currentGrid } from "./deprecatedNames";
import { formerLabelsOf } from "./formerLabels";
import { labelsOf } from "./labels";
import { expectFewJobs, expectFewSeeds } from "./limits";

/** A function that runs one job: `fn({ ...cell, seed }, { report })` returns plain data, or a promise of it. */
export interface SweepTask {
  /** Path (from the working folder) or package that exports the function, such as "turnwise-course/jobs". Without one, the job trains. */
  readonly module?: string;
  readonly export: string;
}

/** The engine's own task: a training run. */
export const trainTask = { export: "trainJob" } as const satisfies SweepTask;

const told = new Set<string>();

export const isTraining = (task: SweepTask): boolean =>
  task.module === undefined && task.export === trainTask.export;

/** The plan under the names of today: its task, and what training jobs are told. */
export function currentPlan(plan: SweepPlan): SweepPlan {
  const task = currentTask(plan.task);
  const { hopeless, ...named } = plan as SweepPlan & { readonly hopeless?: Prune };
  const { metric } = named;
  return {
    ...named,
    ...(hopeless !== undefined && { prune: hopeless }),
    task,
    ...(isTraining(task) && { grid: currentGrid(plan.grid) }),
    ...(metric !== undefined && { metric: currentMetric(metric) }),
  };
}

const lessonJobs = "turnwise-course/jobs";

/** The task as plans name it today: older ones named the lessons' jobs without a module, or by the one they were in. */
export function currentTask(task: SweepTask): SweepTask {
  if (task.module === "turnwise/study") return { ...task, module: lessonJobs };
  if (task.module !== undefined || task.export === trainTask.export) return task;
  const now = { module: lessonJobs, export: task.export };
  if (!told.has(task.export)) {
    told.add(task.export);
    machine.deprecated(
      `The task { "export": "${task.export}" } is read as ${JSON.stringify(now)}, where the studies' jobs are now: ` +
        `write it with its module`,
    );
  }
  return now;
}

/** Abandons settings that look bad after a few seeds, as a pruner of Optuna does. */
export interface Prune {
  /** Number of seeds of each setting that run first. */
  readonly seeds: number;
  /** If the metric of each of these is below this value, the setting's other seeds do not run. */
  readonly below: number;
}

/** Plan of a sweep, as plain data, so that it can be kept in a file and run in shards on other machines. */
export interface SweepPlan {
  readonly task: SweepTask;
  /** Values of each option: a list is an axis of the grid, anything else one value for all. */
  readonly grid: Readonly<Record<string, Json>>;
  readonly seeds: readonly number[];
  /** The number of a job's value that the progress table and `prune` look at. */
  readonly metric?: string;
  /** Abandons settings that look bad after a few seeds. Default: none. */
  readonly prune?: Prune;
  /** Files that a thread loads before the first job: they export functions that the grid names, or register worlds. */
  readonly modules?: readonly string[];
}

/** One setting of the grid. */
export interface SweepCell {
  readonly index: number;
  /** The varying axes, as text. */
  readonly label: string;
  /** The label that older versions wrote to files of results. */
  readonly formerLabel: string;
  /** The varying axes; a record is named by the leaves in which it differs from the others. */
  readonly axes: Readonly<Record<string, Json>>;
  readonly options: Readonly<Record<string, Json>>;
}

export interface SweepJob {
  readonly index: number;
  /** Names the job in files, such as `recipe=grpo seed=3`. */
  readonly key: string;
  readonly cell: SweepCell;
  readonly seed: number;
  /** Place of the seed in the plan. */
  readonly seedIndex: number;
}

/** Part `index` (counted from 1) of `of` parts. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** All settings of a grid: the product of its axes, the last one fastest. */
export function cellsOf(grid: Readonly<Record<string, Json>>): SweepCell[] {
  const names = Object.keys(grid);
  const values = names.map((name) => {
    const value = grid[name]!;
    return Array.isArray(value) ? (value as readonly Json[]) : [value];
  });
  const labels = values.map(labelsOf);
  const formerLabels = values.map(formerLabelsOf);
  let indices: number[][] = [[]];
  for (const list of values) indices = indices.flatMap((head) => list.map((_, i) => [...head, i]));
  return indices.map((at, index) => {
    const varyingBy = (texts: readonly (readonly Json[])[]): (readonly [string, Json])[] =>
      names.flatMap((name, a) => (values[a]!.length > 1 ? [[name, texts[a]![at[a]!]!] as const] : []));
    const varying = varyingBy(labels);
    return {
      index,
      label: labelText(varying),
      formerLabel: labelText(varyingBy(formerLabels)),
      axes: Object.fromEntries(varying),
      options: Object.fromEntries(names.map((name, a) => [name, values[a]![at[a]!]!])),
    };
  });
}

const labelText = (varying: readonly (readonly [string, Json])[]): string =>
  varying.map(([name, label]) => `${name}=${String(label)}`).join(" ") || "all";

/** All jobs, seed by seed, so that a sweep that is stopped has compared all its settings. */
export function jobsOf({ grid, seeds }: SweepPlan): SweepJob[] {
  const cells = cellsOf(grid);
  return seeds.flatMap((seed, seedIndex) =>
    cells.map((cell, c) => ({
      index: seedIndex * cells.length + c,
      key: `${cell.label} seed=${seed}`,
      cell,
      seed,
      seedIndex,
    })),
  );
}

/**
 * The jobs of one part. Every part gets some seeds of every cell, which spreads costly cells. With `prune` a part gets whole
 * cells, since a cell's first seeds decide about the others.
 */
export function shardOf(jobs: readonly SweepJob[], plan: SweepPlan, shard: Shard | undefined): SweepJob[] {
  if (!shard) return [...jobs];
  return jobs.filter(
    ({ cell, seedIndex }) => (cell.index + (plan.prune ? 0 : seedIndex)) % shard.of === shard.index - 1,
  );
}

/**
 * Checks a plan and gives a copy that nobody can change.
 *
 * @throws {TypeError} if an option is not plain data
 * @throws {RangeError} if an axis is empty, or if seeds are missing or repeated
 */
export function normalize(plan: SweepPlan): SweepPlan {
  expectFewSeeds("sweep", plan.seeds);
  const given = parseLine(toLine(plan, "the plan")) as unknown as SweepPlan;
  for (const [name, value] of Object.entries(given.grid)) {
    if (Array.isArray(value) && value.length === 0) {
      throw new RangeError(`Cannot sweep: axis "${name}" must have a value, got none.`);
    }
  }
  if (typeof plan.task.export !== "string") {
    throw new TypeError(
      `Cannot sweep: task.export must be the name of a function, got ${typeof plan.task.export}.`,
    );
  }
  const copy = currentPlan(given);
  const { seeds, prune } = copy;
  const wholeNumbers: boolean = Array.isArray(seeds) && seeds.every(Number.isSafeInteger);
  if (!wholeNumbers || seeds.length === 0 || new Set(seeds).size !== seeds.length) {
    throw new RangeError(
      `Cannot sweep: seeds must be different integers and at least one, got ${JSON.stringify(seeds).replaceAll(",", ", ")}.`,
    );
  }
  expectFewJobs(copy.grid, seeds);
  checkLabels(copy.grid);
  if (prune && !(Number.isInteger(prune.seeds) && prune.seeds >= 1)) {
    throw new RangeError(`Cannot prune settings: prune.seeds must be an integer >= 1, got ${prune.seeds}.`);
  }
  return copy;
}

/** @throws {RangeError} unless it is part i of n, or the text "i/n", with 1 <= i <= n */
export function parseShard(shard: string | Shard): Shard {
  const text = typeof shard === "string" ? shard : `${shard.index}/${shard.of}`;
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, of] = match ? [Number(match[1]), Number(match[2])] : [0, 0];
  if (index >= 1 && index <= of) return { index, of };
  throw new RangeError(
    `Cannot run a shard: it must be "i/n" with 1 <= i <= n, such as "1/4", got "${text}".`,
  );
}

/** Jobs are identified by the labels of their settings, in files as well. */
function checkLabels(grid: SweepPlan["grid"]): void {
  for (const [name, value] of Object.entries(grid)) {
    if (!Array.isArray(value)) continue;
    const labels = labelsOf(value as readonly Json[]).map(String);
    const seen = new Set<string>();
    const twice = labels.find((label) => seen.size === seen.add(label).size);
    if (twice === undefined) continue;
    throw new RangeError(
      `Cannot sweep: the values of axis "${name}" must print differently, but "${twice}" appears twice.`,
    );
  }
}
