import { show } from "../base/show";

/** Fields of a training record that charts and tables need. */
export interface CurveRecord {
  readonly update: number;
  readonly metrics: Readonly<Record<string, number | undefined>>;
}

/** A record that tells which run of which series it belongs to, as a file of records does. */
export interface SeedRecord extends CurveRecord {
  readonly seed?: number;
  readonly series?: string;
}

/** Parts of the result of `trainSeeds` that charts and tables read. */
export interface SeedRunsLike {
  readonly label?: string;
  readonly seeds: readonly number[];
  readonly runs: readonly (readonly CurveRecord[])[];
}

/** Parts of the result of a sweep that charts and tables read: its results hold records if `curves` was set. */
export interface SweepResults {
  readonly results: readonly SweepResultLike[];
}

interface SweepResultLike {
  readonly cell: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly value: unknown;
}

/** Runs of one setting, in whatever shape they are at hand: one run, several, or the seeds of one. */
export type RunsOfOne = readonly SeedRecord[] | readonly (readonly CurveRecord[])[] | SeedRunsLike;

/** Runs in whatever shape they are at hand; a record names its series. */
export type Runs =
  | RunsOfOne
  | readonly SeedRunsLike[]
  | SweepResults
  | readonly SweepResultLike[]
  | Readonly<Record<string, RunsOfOne | SweepResults | readonly SweepResultLike[]>>;

/** The records of one run, with the name of its series. */
export interface NamedRun<R extends CurveRecord = CurveRecord> {
  readonly series: string;
  readonly seed: number | undefined;
  readonly records: readonly R[];
}

/**
 * The single runs of records, runs, seeds, sweeps, or several of these by name.
 *
 * @param action completes "Cannot ..."
 * @throws {TypeError} if the value is none of these
 * @throws {RangeError} if the results of a sweep hold no records
 */
export function runsOf(given: unknown, action: string): NamedRun[] {
  if (isRecord(given) && !isSeedRuns(given) && !isSweep(given) && !isPromise(given)) {
    return Object.entries(given).flatMap(([name, one]) =>
      renamed(name, ofOne(one, `${name} of the runs`, action)),
    );
  }
  return ofOne(given, "the runs", action);
}

/** The runs by the names of their series, in the order of their first appearance. */
export function bySeries(runs: readonly NamedRun[]): ReadonlyMap<string, readonly NamedRun[]> {
  const groups = new Map<string, NamedRun[]>();
  for (const run of runs) {
    const group = groups.get(run.series);
    if (group) group.push(run);
    else groups.set(run.series, [run]);
  }
  return groups;
}

/** True for what `runsOf` reads and that is no list of plain rows. */
export function holdsRuns(given: unknown): boolean {
  if (Array.isArray(given)) {
    const first: unknown = given[0];
    return Array.isArray(first) || isCurveRecord(first) || isSeedRuns(first) || isSweepResult(first);
  }
  return isRecord(given) && (isSeedRuns(given) || isSweep(given) || Object.values(given).some(holdsRuns));
}

function ofOne(given: unknown, what: string, action: string): NamedRun[] {
  if (isSeedRuns(given)) {
    const series = given.label ?? "run";
    return given.runs.map((records, i) => ({ series, seed: given.seeds[i], records }));
  }
  if (isSweep(given)) return ofSweep(given.results, action);
  if (Array.isArray(given)) {
    const list = given as readonly unknown[];
    if (list.length > 0 && list.every(isSweepResult)) return ofSweep(list, action);
    if (list.length > 0 && list.every(isSeedRuns)) return ofSeveral(list);
    if (list.every(isCurveRecord)) return ofRecords(list);
    if (list.every((run) => Array.isArray(run) && run.every(isCurveRecord))) {
      return list.flatMap((run, i) => ofRecords(run as SeedRecord[], i));
    }
  }
  throw new TypeError(
    `Cannot ${action}: ${what} must be records, a list of runs, what trainSeeds or sweep gives, or these by name, ` +
      `got ${described(given)}.`,
  );
}

/** Seeds of several settings by their labels; those that share one are numbered. */
function ofSeveral(settings: readonly SeedRunsLike[]): NamedRun[] {
  const times = new Map<string, number>();
  return settings.flatMap((runs) => {
    const { label = "run" } = runs;
    const time = (times.get(label) ?? 0) + 1;
    times.set(label, time);
    const series = time === 1 ? label : `${label} (${time})`;
    return runs.runs.map((records, i) => ({ series, seed: runs.seeds[i], records }));
  });
}

/** Records in one list are one run each for every series and seed that they name. */
function ofRecords(records: readonly SeedRecord[], index = 0): NamedRun[] {
  const runs = new Map<string, { series: string; seed: number | undefined; records: CurveRecord[] }>();
  for (const record of records) {
    const { series = "run", seed } = record;
    const key = JSON.stringify([series, seed]);
    let run = runs.get(key);
    if (!run) runs.set(key, (run = { series, seed: seed ?? undefined, records: [] }));
    run.records.push(record);
  }
  return runs.size > 0 ? [...runs.values()] : [{ series: "run", seed: index, records: [] }];
}

function ofSweep(results: readonly SweepResultLike[], action: string): NamedRun[] {
  return results.map(({ cell, seed, value }) => {
    const records = (value as { records?: unknown } | null)?.records;
    if (!Array.isArray(records) || !records.every(isCurveRecord)) {
      throw new RangeError(
        `Cannot ${action}: the results of a sweep must hold records, which it keeps if told which metrics. ` +
          `Add curves: ["return/exact"] to its options.`,
      );
    }
    return { series: settingOf(cell), seed, records };
  });
}

/** A single axis is named by its values alone, several as the table of the sweep names them. */
function settingOf(cell: Readonly<Record<string, unknown>>): string {
  const axes = Object.entries(cell);
  if (axes.length === 1) return String(axes[0]![1]);
  return axes.map(([name, value]) => `${name}=${String(value)}`).join(" ") || "all";
}

/** Several settings under one name are told apart by their own. */
function renamed(name: string, runs: readonly NamedRun[]): NamedRun[] {
  const alone = new Set(runs.map(({ series }) => series)).size <= 1;
  return runs.map((run) => ({ ...run, series: alone ? name : `${name}, ${run.series}` }));
}

function described(value: unknown): string {
  if (isPromise(value)) return "a promise (did you forget await?)";
  if (Array.isArray(value)) return `a list whose first entry is ${described(value[0])}`;
  if (typeof value === "object" && value !== null) {
    return `an object with ${Object.keys(value).slice(0, 6).join(", ") || "nothing in it"}`;
  }
  return typeof value === "function" ? "a function" : show(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A sweep can be awaited, too, but it is no promise: its results so far are there. */
function isPromise(value: unknown): boolean {
  return isRecord(value) && typeof value["then"] === "function" && !isSweep(value) && !isSeedRuns(value);
}

function isCurveRecord(value: unknown): value is SeedRecord {
  return isRecord(value) && typeof value["update"] === "number" && isRecord(value["metrics"]);
}

function isSeedRuns(value: unknown): value is SeedRunsLike {
  return isRecord(value) && Array.isArray(value["seeds"]) && Array.isArray(value["runs"]);
}

function isSweep(value: unknown): value is SweepResults {
  return isRecord(value) && Array.isArray(value["results"]) && value["results"].every(isSweepResult);
}

function isSweepResult(value: unknown): value is SweepResultLike {
  return isRecord(value) && isRecord(value["cell"]) && "value" in value && typeof value["seed"] === "number";
}
