import { machine } from "#machine";
import { modules } from "#sweep/modules";
import { yieldToEventLoop } from "../base/yieldToEventLoop";
import { Board } from "./board";
import { parseLine, toLine, type Json } from "./json";
import { jobsOf, parseShard, shardOf, type SweepJob } from "./plan";
import type { SweepProgress } from "./progress";
import { ResultFile } from "./resultFile";
import type { ResultRow } from "./resultLines";
import { revive } from "./modules/handOver";
import { planOf, type Live, type Planned, type SweepOptions } from "./options";
import { stopSymbol } from "./stop";
import { loadTask, resolveTask, runJob, type ResolvedTask } from "./task";
import { WorkerPool } from "./workerPool";

/** Result of one job. */
export interface SweepResult<V> {
  /** Names the job, such as `recipe=grpo seed=3`. */
  readonly key: string;
  /** The axes of the grid that vary. */
  readonly cell: Readonly<Record<string, Json>>;
  readonly seed: number;
  readonly value: V;
  readonly seconds: number;
}

export interface SweepOutcome<V> {
  /** In the order of the plan: seed by seed, whatever finished first. */
  readonly results: readonly SweepResult<V>[];
  /** True when the sweep was stopped before its end. */
  readonly stopped: boolean;
  /** Labels of the settings that were pruned. */
  readonly pruned: readonly string[];
  /** The number that the progress table looked at, if the plan named one. */
  readonly metric?: string;
}

/** Some jobs of a sweep failed. The results of the others are kept, and a sweep with the same file tries these again. */
export class SweepError<V = unknown> extends Error {
  override readonly name = "SweepError";
  constructor(
    message: string,
    readonly results: readonly SweepResult<V>[],
    readonly errors: readonly { readonly key: string; readonly error: Error }[],
  ) {
    super(message, { cause: errors[0]?.error });
  }
}

/**
 * A running sweep: `await` it for all results, or iterate over it for each as it comes.
 *
 * A kernel that knows `Symbol.for("turnwise.stop")` stops the workers when the cell that awaits it is interrupted;
 * what is done by then is kept in `results`, and in the file.
 */
export class SweepRun<V> implements PromiseLike<SweepOutcome<V>>, AsyncIterable<SweepResult<V>> {
  readonly #task: ResolvedTask;
  readonly #live: Live;
  readonly #board: Board;
  readonly #file: ResultFile | undefined;
  readonly #pool: WorkerPool<SweepJob>;
  readonly #workers: number;
  readonly #listeners = new Set<() => void>();
  readonly #outcome: Promise<SweepOutcome<V>>;
  #state: SweepProgress["state"] = "running";

  constructor({ plan, run: { workers, file, shard, signal }, live }: Planned) {
    this.#workers = checkWorkers(workers);
    this.#live = live;
    this.#task = resolveTask(plan.task, live.files, live.scope.base);
    const part = shard === undefined ? undefined : parseShard(shard);
    const jobs = shardOf(jobsOf(plan), plan, part);
    this.#file = file === undefined ? undefined : new ResultFile(file, plan, part);
    try {
      this.#board = new Board(plan, jobs, this.#file?.rows ?? []);
    } catch (error) {
      this.#file?.close();
      throw error;
    }
    this.#pool = new WorkerPool(this.#task, {
      next: () => this.#board.nextLongest(),
      optionsOf,
      onProgress: (job, fraction) => {
        this.#board.progressed(job, fraction);
        this.#notify();
      },
      onDone: (job, value, seconds) => this.#keep(job, value, seconds),
      onError: (job, error) => this.#fail(job, error),
    });
    const stop = (): void => void this.stop();
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    this.#outcome = this.#run().finally(() => signal?.removeEventListener("abort", stop));
  }

  /** Results so far, in the order of the plan. */
  get results(): readonly SweepResult<V>[] {
    return this.#board.rows as unknown as SweepResult<V>[];
  }

  /** Its progress, for a table or a log. */
  get progress(): SweepProgress {
    return this.#board.progress(this.#workers, this.#state);
  }

  /** Calls a function at every result and every report of progress. Call what it returns to end that. */
  onProgress(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the workers. Jobs that were running are lost; results are kept. */
  async stop(): Promise<void> {
    if (this.#state === "running") this.#state = "stopped";
    await this.#pool.stop();
  }

  then<A = SweepOutcome<V>, B = never>(
    onFulfilled?: ((outcome: SweepOutcome<V>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#outcome.then(onFulfilled, onRejected);
  }

  /** Each result once, those of the file first. `break` stops the sweep. */
  [Symbol.asyncIterator](): AsyncIterator<SweepResult<V>, void, undefined> {
    const each = this.#each();
    // A generator that waits for a result would hear of the break only when that comes.
    const end = async (): Promise<IteratorResult<SweepResult<V>, void>> => {
      await this.stop();
      return each.return();
    };
    return { next: () => each.next(), return: end };
  }

  async *#each(): AsyncGenerator<SweepResult<V>, void, undefined> {
    const given = new Set<string>();
    try {
      for (;;) {
        const ended = this.#state !== "running";
        const fresh = this.results.filter(({ key }) => !given.has(key));
        if (fresh.length === 0 && ended) break;
        if (fresh.length === 0) await this.#change();
        for (const result of fresh) {
          given.add(result.key);
          yield result;
        }
      }
      await this.#outcome;
    } finally {
      // Whoever breaks out of the loop no longer cares how it ends.
      this.#outcome.catch(() => undefined);
      await this.stop();
    }
  }

  /** Stops the run when its cell is interrupted. */
  [stopSymbol](): void {
    void this.stop();
  }

  async #run(): Promise<SweepOutcome<V>> {
    // Whoever made the sweep attaches its table first.
    await Promise.resolve();
    try {
      const left = this.#board.missing.length;
      if (left > 0 && this.#state === "running") {
        if (this.#workers === 0) await this.#runHere();
        else await this.#pool.run(Math.min(this.#workers, left));
      }
      const { errors } = this.#board;
      if (errors.length > 0) throw this.#error(errors);
      if (this.#state === "running") this.#state = "finished";
      return {
        results: this.results,
        stopped: this.#state === "stopped",
        pruned: this.#board.pruned,
        ...(this.#board.plan.metric !== undefined && { metric: this.#board.plan.metric }),
      };
    } catch (error) {
      this.#state = "failed";
      throw error;
    } finally {
      this.#file?.close();
      this.#notify();
    }
  }

  /** Runs the jobs one after the other in this thread, for debuggers and to compare threads with. */
  async #runHere(): Promise<void> {
    await modules.ready(this.#task);
    const run = loadTask(this.#task);
    const { scope, locals } = this.#live;
    const named = scope.modules.size > 0 || locals.size > 0;
    for (let job = this.#board.next(); job; job = this.#board.next()) {
      const current = job;
      const report = (fraction: number): void => this.#board.progressed(current, fraction);
      const options = named ? revive(optionsOf(job), scope, locals) : optionsOf(job);
      const done = await runJob(run, options, { report }).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      if (done instanceof Error) this.#fail(job, done);
      else this.#keep(job, done.value, done.seconds);
      await yieldToEventLoop();
      if (this.#state !== "running") return;
    }
  }

  #keep(job: SweepJob, value: string, seconds: number): void {
    const { key, cell, seed } = job;
    const row: ResultRow = { key, cell: cell.axes, seed, value: parseLine(value), seconds };
    this.#file?.append(toLine(row, key));
    this.#board.done(job, row);
    this.#notify();
  }

  #fail(job: SweepJob, error: Error): void {
    this.#board.failed(job, error);
    this.#notify();
  }

  #error(failed: readonly (readonly [SweepJob, Error])[]): SweepError<V> {
    const [job, error] = failed[0]!;
    return new SweepError<V>(
      `Cannot finish the sweep: every job must succeed, but ${failed.length} did not, ` +
        `first "${job.key}" with ${error.name}: ${error.message}`,
      this.results,
      failed.map(([{ key }, cause]) => ({ key, error: cause })),
    );
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const end = this.onProgress(() => {
        end();
        resolve();
      });
    });
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/**
 * Runs a grid of settings over worker threads, each setting with several seeds.
 *
 * Without `task`, each job trains: `recipe`, `env`, `updates` and the other options of `train` are the grid, each a value
 * or a list of values. With `task`, `grid` holds the options of its function. A job depends on its options and its seed
 * alone, so results are the same bit by bit whatever the number of threads, and in whichever shard a job runs.
 *
 * With `file`, every result is appended to it at once, and a sweep of the same plan goes on where the file ends: after a
 * crash, no finished job is lost or runs again. Jobs that were running start over. `merge` joins the files of shards.
 *
 * Rejects with `SweepError` if jobs failed.
 *
 * @throws {RangeError} if a value of the plan is out of range
 * @throws {TypeError} if an option is not plain data
 *
 * @example
 * import { sweep } from "turnwise";
 * const run = sweep({ recipe: ["grpo", "seeUpo"], env: "LookUp-v0", updates: 10, seeds: 2, metric: "reward/mean" });
 * const { results } = await run;
 * results.length; // => 4
 */
export function sweep<V = Json>(options: SweepOptions): SweepRun<V> {
  return new SweepRun<V>(planOf(options));
}

function optionsOf({ cell, seed }: SweepJob): Readonly<Record<string, unknown>> {
  return { ...cell.options, seed };
}

function checkWorkers(workers = machine.cores()): number {
  if (Number.isInteger(workers) && workers >= 0) return workers;
  throw new RangeError(`Cannot sweep: workers must be an integer >= 0 (0: in this thread), got ${workers}.`);
}
