import type { Interval } from "../base/interval";
import { metricOf } from "./metric";
import type { SweepJob, SweepPlan } from "./plan";
import { intervalOf, type CellProgress, type SweepProgress } from "./progress";
import type { ResultRow } from "./resultLines";

interface CellBoard {
  readonly label: string;
  readonly jobs: SweepJob[];
  started: number;
  failed: number;
  pruned: boolean;
  /** Number of finished jobs, and their total time. */
  timed: number;
  seconds: number;
  /** The interval of the first `of` results: a bootstrap for each report of progress would cost more than the jobs. */
  metric: { readonly of: number; readonly interval: Interval | undefined };
}

/** A result of an older version, under the label that its job has now. */
const renamed = (row: ResultRow, job: SweepJob | undefined): ResultRow =>
  job === undefined ? row : { ...row, key: job.key, cell: job.cell.axes };

/** The book-keeping of a sweep, without threads and files: which jobs are done, which run, and which may start next. */
export class Board {
  readonly #rows = new Map<string, ResultRow>();
  readonly #waiting: SweepJob[];
  readonly #running = new Map<SweepJob, number>();
  readonly #failed = new Map<SweepJob, Error>();
  readonly #cells = new Map<number, CellBoard>();
  readonly #startedAt = performance.now();
  /** Jobs done before this run began. */
  readonly #before: number;

  constructor(
    readonly plan: SweepPlan,
    private readonly jobs: readonly SweepJob[],
    found: readonly ResultRow[],
  ) {
    const byKey = new Map(jobs.map((job) => [job.key, job]));
    const byFormer = new Map(jobs.map((job) => [`${job.cell.formerLabel} seed=${job.seed}`, job]));
    for (const given of found) {
      const row = byKey.has(given.key) ? given : renamed(given, byFormer.get(given.key));
      if (this.#rows.has(row.key)) {
        throw new RangeError(`Cannot go on: each job must be done once, but "${row.key}" appears twice.`);
      }
      if (!byKey.has(row.key)) {
        throw new RangeError(
          `Cannot go on: every result must belong to the plan, but "${row.key}" does not.`,
        );
      }
      this.#rows.set(row.key, row);
    }
    this.#before = this.#rows.size;
    for (const job of jobs) {
      const { index, label } = job.cell;
      let cell = this.#cells.get(index);
      if (!cell) this.#cells.set(index, (cell = newCell(label)));
      cell.jobs.push(job);
      const row = this.#rows.get(job.key);
      if (!row) continue;
      cell.started++;
      addTime(cell, row);
    }
    for (const cell of this.#cells.values()) this.#judge(cell);
    this.#waiting = jobs.filter(({ key }) => !this.#rows.has(key));
  }

  /** Takes the first job that may start; a cell's later seeds wait until its first ones have decided. */
  next(): SweepJob | undefined {
    return this.#take(this.#first());
  }

  /**
   * Like `next`, but among the jobs of that seed it takes the one whose cell has been slowest so far, or has not been timed yet:
   * a long job that started last would leave the other threads idle.
   */
  nextLongest(): SweepJob | undefined {
    const first = this.#first();
    if (first === -1) return undefined;
    let longest = first;
    for (let at = first + 1; at < this.#waiting.length; at++) {
      const job = this.#waiting[at]!;
      if (job.seedIndex !== this.#waiting[first]!.seedIndex) break;
      if (this.#expected(job) > this.#expected(this.#waiting[longest]!) && this.#mayStart(job)) longest = at;
    }
    return this.#take(longest);
  }

  #first(): number {
    return this.#waiting.findIndex((job) => this.#mayStart(job));
  }

  /** Mean seconds of the cell's jobs so far. */
  #expected(job: SweepJob): number {
    const { timed, seconds } = this.#cells.get(job.cell.index)!;
    return timed > 0 ? seconds / timed : Infinity;
  }

  #take(at: number): SweepJob | undefined {
    if (at === -1) return undefined;
    const [job] = this.#waiting.splice(at, 1);
    this.#cells.get(job!.cell.index)!.started++;
    this.#running.set(job!, 0);
    return job;
  }

  progressed(job: SweepJob, fraction: number): void {
    if (this.#running.has(job)) this.#running.set(job, Math.min(1, Math.max(0, fraction)));
  }

  done(job: SweepJob, row: ResultRow): void {
    this.#running.delete(job);
    this.#rows.set(row.key, row);
    const cell = this.#cells.get(job.cell.index)!;
    addTime(cell, row);
    this.#judge(cell);
  }

  failed(job: SweepJob, error: Error): void {
    this.#running.delete(job);
    this.#failed.set(job, error);
    this.#cells.get(job.cell.index)!.failed++;
  }

  get errors(): readonly (readonly [SweepJob, Error])[] {
    return [...this.#failed];
  }

  /** All rows so far, in the order of the plan. */
  get rows(): ResultRow[] {
    return this.jobs.flatMap(({ key }) => this.#rows.get(key) ?? []);
  }

  /** Labels of the settings that were pruned. */
  get pruned(): string[] {
    return [...this.#cells.values()].filter((cell) => cell.pruned).map(({ label }) => label);
  }

  /** Jobs of the plan that are still to be done. */
  get missing(): SweepJob[] {
    return this.jobs.filter((job) => !this.#rows.has(job.key) && !this.#isGivenUp(job));
  }

  progress(workers: number, state: SweepProgress["state"]): SweepProgress {
    const done = this.#rows.size;
    const planned = done + this.missing.length;
    const parts = [...this.#running.values()].reduce((sum, x) => sum + x, 0);
    const work = done - this.#before + parts;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const rate = work > 0 && seconds > 0 ? work / seconds : 0;
    const left = planned - done - parts - this.#failed.size;
    return {
      done,
      planned,
      failed: this.#failed.size,
      workers,
      rate,
      ...(state === "running" && rate > 0 ? { secondsLeft: Math.max(0, left / rate) } : {}),
      state,
      ...(this.plan.metric === undefined ? {} : { metric: this.plan.metric }),
      cells: [...this.#cells.values()].map((cell) => this.#cellProgress(cell)),
    };
  }

  #cellProgress(cell: CellBoard): CellProgress {
    const rows = cell.jobs.flatMap(({ key }) => this.#rows.get(key) ?? []);
    const planned = cell.pruned ? rows.length : cell.jobs.length;
    if (cell.metric.of !== rows.length) {
      const values = rows.map(({ value }) => metricOf(value, this.plan.metric));
      cell.metric = { of: rows.length, interval: intervalOf(values) };
    }
    const metric = cell.metric.interval;
    const done = rows.length === planned;
    return {
      label: cell.label,
      done: rows.length,
      planned,
      failed: cell.failed,
      state: cell.pruned ? "pruned" : done ? "done" : cell.started > 0 ? "running" : "waiting",
      ...(metric ? { metric } : {}),
    };
  }

  #mayStart(job: SweepJob): boolean {
    const { prune } = this.plan;
    if (!prune || job.seedIndex < prune.seeds) return true;
    const cell = this.#cells.get(job.cell.index)!;
    return !cell.pruned && this.#deciding(cell).every(({ key }) => this.#rows.has(key));
  }

  #isGivenUp(job: SweepJob): boolean {
    const { prune } = this.plan;
    return prune !== undefined && job.seedIndex >= prune.seeds && this.#cells.get(job.cell.index)!.pruned;
  }

  /** The first seeds of the plan decide, not the first that happen to end, so that the number of threads changes nothing. */
  #judge(cell: CellBoard): void {
    const { prune, metric } = this.plan;
    if (!prune) return;
    const rows = this.#deciding(cell).map(({ key }) => this.#rows.get(key));
    cell.pruned = rows.every((row) => row && (metricOf(row.value, metric) ?? Infinity) < prune.below);
  }

  #deciding(cell: CellBoard): SweepJob[] {
    return cell.jobs.filter(({ seedIndex }) => seedIndex < this.plan.prune!.seeds);
  }
}

function newCell(label: string): CellBoard {
  return {
    label,
    jobs: [],
    started: 0,
    failed: 0,
    pruned: false,
    timed: 0,
    seconds: 0,
    metric: { of: 0, interval: undefined },
  };
}

function addTime(cell: CellBoard, { seconds }: ResultRow): void {
  cell.timed++;
  cell.seconds += seconds;
}
