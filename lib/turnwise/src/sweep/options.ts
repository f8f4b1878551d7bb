import { machine } from "#machine";
import type { AnyText } from "../base/anyText";
import type { MetricName } from "../base/glossary";
import { show } from "../base/show";
import { unknownOption } from "../base/suggest";
import type { Json } from "./json";
import { expectKnownMetric, expectMetric } from "./knownMetric";
import { expectFewSeeds } from "./limits";
import { handOver, nameOf, revive, type ModuleScope } from "./modules/handOver";
import { modulesFor, namedIn } from "./modules/find";
import { isLabel, mapTree } from "./modules/reference";
import { noticeDeprecated } from "../schema";
import { normalize, trainTask, type Prune, type Shard, type SweepPlan, type SweepTask } from "./plan";
import { rulesOf } from "./rules";
import { expectTrainGrid, type OneOrMany, type TrainGrid } from "./trainGrid";

/** Options of running a plan. None of this changes a result. */
export interface RunOptions {
  /** Threads; 0 runs the jobs one after the other in this thread. Default: as many as the machine runs at once. */
  readonly workers?: number;
  /** File to which each result is appended at once, as a line of JSON. With a file of the same plan, the sweep goes on from there. */
  readonly file?: string;
  /** A part of the jobs, "1/4" to "4/4". */
  readonly shard?: string | Shard;
  readonly signal?: AbortSignal;
}

interface PlanOptions {
  /** A list, or a number n for the seeds 0 .. n-1. */
  readonly seeds: number | readonly number[];
  /** The number that the progress table and `prune` look at: a field of a job's value, or one of its metrics. */
  readonly metric?: MetricName | AnyText;
  /** Abandons settings that look bad after a few seeds. Default: none. */
  readonly prune?: Prune;
  /** @deprecated Use `prune`. */
  readonly hopeless?: Prune;
  /**
   * Files whose exports the grid names and whose worlds it uses, such as `["./mine.ts"]`. Those of a notebook that cells have
   * written with `%%module`, or import, are found without being named here.
   */
  readonly modules?: readonly string[];
}

interface TaskGrid {
  readonly task: SweepTask;
  readonly grid: Readonly<Record<string, OneOrMany<Json>>>;
}

/** Options of `sweep`: a plan, as a grid of training settings or of a task, and how to run it. */
export type SweepOptions = RunOptions & PlanOptions & (TrainGrid | TaskGrid);

/** Options that do not belong to the grid. */
const others = ["seeds", "metric", "prune", "hopeless", "modules", "workers", "file", "shard", "signal"];

/** Values that the plan names, in this thread. */
export interface Live {
  readonly scope: ModuleScope;
  /** The plan's modules, by their absolute paths. */
  readonly files: readonly string[];
  /** Functions that no module exports, by label: jobs that name them run in this thread. */
  readonly locals: ReadonlyMap<string, object>;
}

/** A plan, how to run it, and what its names mean here. */
export interface Planned {
  readonly plan: SweepPlan;
  readonly run: RunOptions;
  readonly live: Live;
}

/**
 * Separates what is computed from how it is run.
 *
 * @param base the folder from which the plan names its modules
 * @throws {RangeError} if a name is unknown, a value out of range, or a function cannot be found by other threads
 * @throws {TypeError} if a value has the wrong type
 */
export function planOf(options: SweepOptions, base: string = machine.cwd()): Planned {
  const {
    workers,
    file,
    shard,
    signal,
    seeds,
    metric,
    hopeless,
    prune = hopeless,
    modules,
    ...what
  } = options;
  if (hopeless !== undefined) noticeDeprecated("hopeless", "prune");
  const run: RunOptions = {
    ...(workers === undefined ? {} : { workers }),
    ...(file === undefined ? {} : { file }),
    ...(shard === undefined ? {} : { shard }),
    ...(signal === undefined ? {} : { signal }),
  };
  const axes = ("task" in what ? what.grid : what) as Readonly<Record<string, unknown>>;
  const found = modulesFor([...expectModules(modules), ...namedIn(axes)], base);
  const scope: ModuleScope = { modules: found.modules, base };
  const revived = found.modules.size > 0 ? revive(axes, scope) : axes;
  const trains =
    !("task" in what) || (what.task.module === undefined && what.task.export === trainTask.export);
  const ruled =
    trains && "recipe" in revived
      ? { ...revived, recipe: rulesOf(revived["recipe"], found.modules) }
      : revived;
  const asked = ("task" in what ? { ...what, grid: ruled } : ruled) as typeof what;
  const { task, grid } = "task" in asked ? taskGrid(asked) : { task: trainTask, grid: trainGrid(asked) };
  const worlds = "task" in asked ? [] : [grid["env"]].flat();
  if (!("module" in task) && task.export === trainTask.export) expectKnownMetric(metric, grid);
  const { data, files, here, locals } = handOver(grid, worlds, scope);
  if (here && workers !== 0) {
    throw new RangeError(
      `Cannot sweep on other threads: they must know everything that a setting names, but ${here.what}; ${here.remedy}, ` +
        `or run the jobs in this thread (workers: 0).`,
    );
  }
  const needed = [...new Set([...found.files, ...files])].sort();
  const plan = normalize({
    task,
    grid: data as SweepPlan["grid"],
    seeds: seedsOf(seeds),
    ...(metric === undefined ? {} : { metric }),
    ...(prune === undefined ? {} : { prune }),
    ...(needed.length === 0 ? {} : { modules: needed.map((one) => nameOf(one, base)) }),
  });
  return { plan, run, live: { scope, files: needed, locals } };
}

function expectModules(modules: unknown): readonly string[] {
  if (modules === undefined) return [];
  if (Array.isArray(modules) && modules.every((one) => typeof one === "string")) return modules as string[];
  throw new TypeError(
    `Cannot sweep: modules must be a list of files, such as ["./mine.ts"], got ${show(modules)}.`,
  );
}

/** The check of the plan refuses what is not a number of seeds. */
function seedsOf(seeds: number | readonly number[]): readonly number[] {
  expectFewSeeds("sweep", seeds);
  const counted = typeof seeds === "number" && Number.isSafeInteger(seeds) && seeds >= 0;
  return counted ? Array.from({ length: seeds }, (_, i) => i) : (seeds as readonly number[]);
}

function taskGrid({ task, grid, ...rest }: TaskGrid): TaskGrid {
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    const known = ["task", "grid", ...others];
    throw new RangeError(unknownOption("sweep", unknown, "the options", known));
  }
  if (task.module === undefined && task.export === trainTask.export) expectTrainGrid(grid);
  return { task, grid };
}

/** The names of curves are one value, not an axis. */
function trainGrid({ curves, ...axes }: TrainGrid): Readonly<Record<string, Json>> {
  for (const name of Array.isArray(curves) ? curves : []) expectMetric(name);
  const grid = { ...axes, ...(curves ? { curves: [curves] } : {}) };
  expectFunctions(grid);
  expectTrainGrid(grid, others);
  return grid as unknown as Readonly<Record<string, Json>>;
}

/** A rule that was read from a file has the labels of its functions alone. */
function expectFunctions(grid: Readonly<Record<string, unknown>>): void {
  mapTree(grid, (value) => {
    if (!isLabel(value)) return undefined;
    throw new RangeError(
      `Cannot sweep: a module of the plan must export the function "${value.custom}". Name the one that ` +
        `does (modules: ["./mine.ts"]).`,
    );
  });
}
