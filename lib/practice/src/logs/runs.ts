import type { MonitorRecord } from "turnwise/internal/monitor/signals";
import type { Row } from "./row";

/** A record of a log; the first one after the steps went back says what began there. */
export interface LogRecord extends MonitorRecord {
  readonly begins?: "run" | "resume";
  /** Parts that the reward is the sum of, by their names. */
  readonly parts?: Readonly<Record<string, number>>;
  /** Lengths of the shortest and the longest answer. */
  readonly lengths?: readonly [least: number, most: number];
}

/** One of the runs that a log holds. */
export interface LogRun {
  readonly first: number;
  readonly last: number;
  /** In order of their steps; where a resume repeats steps, its records have replaced the older ones. */
  readonly records: readonly MonitorRecord[];
  /** The steps that a resume repeated. */
  readonly resumed: readonly { readonly at: number; readonly after: number }[];
}

/**
 * Finds where the steps of a log go back: at the first step of the run or before it, another run begins; after it, this one was
 * resumed from a checkpoint.
 *
 * Lines of another writer, which come late but have no name in common with the lines of that step, are of the same run.
 */
export class RunSplitter {
  readonly #late: number;
  readonly #names = new Map<number, Set<string>>();
  readonly #all = new Set<string>();
  #first = Infinity;
  #last = -Infinity;
  #clock: { readonly first: number; last: number } | undefined;

  /** @param late by how many steps a line may come late */
  constructor(late: number) {
    this.#late = late;
  }

  /**
   * Run that a line begins; undefined if it continues the same run.
   *
   * @param clock what grows with the run where a line has no step, such as its epoch
   */
  next(step: number | undefined, values: Row, clock: number | undefined): "run" | "resume" | undefined {
    if (step === undefined) return this.#byClock(clock);
    const names = Object.keys(values).filter(
      (name) => typeof values[name] === "number" && values[name] !== step,
    );
    const begins = this.#goesBack(step, names) ? (step <= this.#first ? "run" : "resume") : undefined;
    if (begins !== undefined) this.#begin(step);
    this.#first = Math.min(this.#first, step);
    this.#last = Math.max(this.#last, step);
    const own = this.#names.get(step) ?? new Set();
    for (const name of names) {
      own.add(name);
      this.#all.add(name);
    }
    this.#names.set(step, own);
    return begins;
  }

  #goesBack(step: number, names: readonly string[]): boolean {
    if (step >= this.#last - this.#late) return false;
    const seen = this.#names.get(step) ?? this.#all;
    return names.some((name) => seen.has(name));
  }

  /** Forgets the steps that are about to be repeated; a new run forgets all. */
  #begin(step: number): void {
    const isRun = step <= this.#first;
    for (const one of this.#names.keys()) if (isRun || one >= step) this.#names.delete(one);
    if (isRun) this.#all.clear();
    this.#last = -Infinity;
    if (isRun) this.#first = Infinity;
  }

  #byClock(clock: number | undefined): "run" | "resume" | undefined {
    if (clock === undefined) return undefined;
    const before = this.#clock;
    if (before === undefined || clock < before.last) {
      const begins = before === undefined ? undefined : clock <= before.first ? "run" : "resume";
      this.#clock = { first: begins === "resume" ? before!.first : clock, last: clock };
      return begins;
    }
    before.last = clock;
    return undefined;
  }
}

/**
 * Whether the lines of a whole log stand in no order, each step once, rather than being several runs: more than a tenth of them go
 * back, and none repeats a step.
 */
export function isUnordered(steps: readonly (number | undefined)[]): boolean {
  const known = steps.filter((step) => step !== undefined);
  if (new Set(known).size < known.length) return false;
  const back = known.filter((step, i) => i > 0 && step < known[i - 1]!).length;
  return back >= 3 && back > known.length / 10;
}

/** The runs of records in the order of their lines. */
export function runsOf(records: readonly LogRecord[]): readonly LogRun[] {
  const runs: { records: MonitorRecord[]; resumed: { at: number; after: number }[] }[] = [];
  for (const { begins, ...record } of records) {
    const run = runs.at(-1);
    if (run === undefined || begins === "run") {
      runs.push({ records: [record], resumed: [] });
      continue;
    }
    const after = run.records.at(-1)?.update;
    if (begins === "resume" && after !== undefined && record.update <= after) {
      run.resumed.push({ at: record.update, after });
      run.records = run.records.filter(({ update }) => update < record.update);
    }
    run.records.push(record);
  }
  return runs.map(({ records: own, resumed }) => ({
    first: own[0]!.update,
    last: own.at(-1)!.update,
    records: own,
    resumed,
  }));
}

/** "2 runs: 1-200, 1-150"; undefined for a single run that was never resumed. */
export function runsInWords(runs: readonly Pick<LogRun, "first" | "last" | "resumed">[]): string | undefined {
  const spans = runs.map(({ first, last, resumed }) => {
    const back = resumed.map(
      ({ at, after }) => `resumed at ${at} after ${after}, of which the later values count`,
    );
    return `${first}-${last}${back.length > 0 ? ` (${back.join("; ")})` : ""}`;
  });
  if (runs.length > 1) return `${runs.length} runs: ${spans.join(", ")}`;
  return runs.some(({ resumed }) => resumed.length > 0) ? `1 run: ${spans[0]}` : undefined;
}
