import { machine } from "#machine";
import { modules } from "#sweep/modules";
import { onInterrupt } from "../base/session";
import { asItWas, isEnv } from "../env/asItWas";
import { behaviorOf } from "../env/behavior";
import { rowLabel } from "../rule/custom/customFunctions";
import { train, type TrainRecord } from "../train";
import { parseLine } from "./json";
import type { NamedRun } from "./runsOf";
import { SeedProgress } from "./seedProgress";
import { SeedRuns } from "./seedRuns";
import { handOverAll, type HandedOver } from "./modules/handOver";
import type { SeedRunOptions, SeedOptions } from "./seedHow";
import { withModules } from "./task";
import { WorkerPool } from "./workerPool";

/**
 * Workers are started once they save this much. To start two of them, load the library there and compile its hot code takes
 * about a quarter of it on an idle machine, and most of it on a busy one.
 */
const WORTH_MS = 2000;
/** The pace is measured over so long a time. */
const PACE_MS = 200;
/** Before, code is being compiled, and updates are several times slower than they will be. */
const WARM_MS = 600;
/** So much work is worth workers even if it turns out to be several times less. */
const SURELY_WORTH_MS = 10 * WORTH_MS;

/**
 * Trains seeds in this thread, and on workers from the moment when these are worth it.
 *
 * This thread goes on with the seed that it has begun, as its records would have to be made again elsewhere.
 */
export class SeedTraining {
  readonly #options: SeedOptions;
  readonly #how: SeedRunOptions;
  readonly #waiting: number[];
  readonly #runs = new Map<number, readonly TrainRecord[]>();
  readonly #partial = new Map<number, TrainRecord[]>();
  readonly #progress: SeedProgress;
  /** The options as other threads get them, or what of them cannot leave this thread. */
  readonly #handed: HandedOver;
  readonly #label: string;
  /** Gives a ready environment that changes with training the state that every seed begins with. */
  readonly #restoreEnv: () => void;
  /** Behavior of the environment before the first seed; undefined if nothing can be compared. */
  #behavior: string | undefined;
  readonly #signal: AbortSignal | undefined;
  #pool: WorkerPool<number> | undefined;
  #pooled: Promise<void> | undefined;
  #failed: Error | undefined;
  #stopped = false;
  #ended: Promise<unknown> = Promise.resolve();
  readonly #begun = performance.now();
  #pace = { at: performance.now(), updates: 0, msPerUpdate: NaN, steady: false };
  #updates = 0;

  constructor(
    { signal, ...options }: SeedOptions,
    readonly asked: readonly number[],
    known: readonly NamedRun[],
    how: SeedRunOptions,
  ) {
    this.#options = options;
    this.#how = how;
    this.#label = labelOf(options);
    this.#restoreEnv = asItWas("train several seeds", options.env, "register the world and give its id");
    for (const { seed, records } of known) {
      if (seed !== undefined && asked.includes(seed) && records.at(-1)?.update === options.updates) {
        this.#runs.set(seed, records as readonly TrainRecord[]);
      }
    }
    this.#waiting = asked.filter((seed) => !this.#runs.has(seed));
    this.#handed = handOverAll(options as Readonly<Record<string, unknown>>);
    const { here } = this.#handed;
    if (here && (how.workers ?? 0) > 1) {
      throw new RangeError(
        `Cannot train on ${how.workers} workers: they must know everything that the setting names, but ${here.what}; ${here.remedy}, or ` +
          `leave workers out to train in this thread.`,
      );
    }
    this.#progress = new SeedProgress({
      label: () => this.#text(),
      total: this.#waiting.length * options.updates,
      shown: how.bar ?? true,
      chart: how.chart,
    });
    this.#signal = signal;
  }

  /** Ends with the seeds finished so far. Resolves once nothing runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#pool?.stop();
    await this.#ended.catch(() => undefined);
  }

  /** The finished seeds; rejects if one fails. */
  async run(): Promise<SeedRuns> {
    const stop = (): void => void this.stop();
    const unlisten = onInterrupt(stop);
    this.#signal?.addEventListener("abort", stop, { once: true });
    if (this.#signal?.aborted) this.#stopped = true;
    for (const [seed, records] of this.#runs) {
      for (const record of records) this.#how.chart?.add(record, this.#label, seed);
    }
    const work = this.#work();
    this.#ended = work;
    try {
      await work;
    } finally {
      unlisten();
      this.#signal?.removeEventListener("abort", stop);
      this.#progress.end();
    }
    if (this.#failed) throw Object.assign(this.#failed, { runs: this.#result() });
    if (this.#stopped && !this.#signal?.aborted && this.#runs.size < this.asked.length)
      console.warn(this.#note());
    return this.#result();
  }

  async #work(): Promise<void> {
    this.#tryEnv();
    if ((this.#how.workers ?? 0) > 1) this.#startWorkers(this.#how.workers!);
    while (!this.#over && !this.#pool && this.#waiting.length > 0) {
      const seed = this.#waiting.shift()!;
      try {
        await this.#trainHere(seed);
      } catch (error) {
        this.#fail(error as Error);
      }
    }
    await this.#pooled;
  }

  get #over(): boolean {
    return this.#stopped || this.#failed !== undefined;
  }

  /** Of a ready environment that several seeds share: how it plays before any of them. */
  #tryEnv(): void {
    const { env } = this.#options;
    if (!isEnv(env) || this.#waiting.length < 2) return;
    try {
      this.#behavior = behaviorOf(env);
      if (behaviorOf(env) === this.#behavior) return;
    } catch {
      // Training meets the same error, and reports it.
      this.#behavior = undefined;
      return;
    }
    this.#behavior = undefined;
    console.warn(
      `${env.spec.id} plays the same seeds and actions differently each time, so these runs cannot be repeated, and what it ` +
        "remembers of one seed may reach the next: register the world and give its id, or make reset({ seed }) decide everything.",
    );
  }

  /** @throws {RangeError} if the environment remembers what state() does not return */
  #expectSameEnv(seed: number): void {
    const { env } = this.#options;
    if (this.#behavior === undefined || !isEnv(env) || this.#waiting.length === 0) return;
    if (behaviorOf(env) === this.#behavior) return;
    throw new RangeError(
      `Cannot train several seeds: each run must begin with the same environment, but ${env.spec.id} behaves differently since seed ` +
        `${seed} was trained: it remembers something that state() and restore() do not take back. Add it to them, or register ` +
        "the world and give its id.",
    );
  }

  async #trainHere(seed: number): Promise<void> {
    const run = train({ ...this.#options, seed });
    try {
      for await (const record of run) {
        this.#hear(seed, [record]);
        this.#updates++;
        this.#considerWorkers();
        if (this.#over) break;
      }
    } finally {
      this.#restoreEnv();
    }
    if (run.stopReason === "finished" || this.#partial.get(seed)?.length === this.#options.updates) {
      this.#finish(seed, this.#partial.get(seed) ?? []);
      this.#expectSameEnv(seed);
    }
  }

  #considerWorkers(): void {
    const { workers = machine.cores() } = this.#how;
    const count = Math.min(workers, this.#waiting.length);
    if (this.#pool || this.#handed.here || count < 2 || this.#over) return;
    const now = performance.now();
    if (now - this.#pace.at >= PACE_MS) {
      const msPerUpdate = (now - this.#pace.at) / (this.#updates - this.#pace.updates);
      const steady = msPerUpdate > 0.7 * this.#pace.msPerUpdate;
      this.#pace = { at: now, updates: this.#updates, msPerUpdate, steady };
    }
    if (now - this.#begun < WARM_MS) return;
    const alone = this.#waiting.length * this.#options.updates * this.#pace.msPerUpdate;
    const saved = alone * (1 - 1 / count);
    if (saved > SURELY_WORTH_MS || (this.#pace.steady && saved > WORTH_MS)) this.#startWorkers(count);
  }

  #startWorkers(count: number): void {
    const { data, files } = this.#handed;
    this.#pool = new WorkerPool<number>(withModules(modules.seedTask, files), {
      next: () => (this.#over ? undefined : this.#waiting.shift()),
      optionsOf: (seed) => ({ ...data, seed }),
      onProgress: () => undefined,
      onEmit: (seed, records) => this.#hearFrom(seed, records as TrainRecord[]),
      onDone: (seed, line) => this.#takeAll(seed, parseLine(line) as unknown as TrainRecord[]),
      onError: (_, error) => this.#fail(error),
    });
    this.#pooled = this.#pool.run(Math.min(count, this.#waiting.length)).catch((error: unknown) => {
      this.#fail(error as Error);
    });
  }

  /** A worker's last message holds the whole run: what it emitted before may still be on its way. */
  #takeAll(seed: number, records: readonly TrainRecord[]): void {
    this.#hear(seed, records.slice(this.#partial.get(seed)?.length ?? 0));
    this.#finish(seed, records);
  }

  /** A callback that throws ends the training, not the program. */
  #hearFrom(seed: number, records: readonly TrainRecord[]): void {
    try {
      if (!this.#over && !this.#runs.has(seed)) this.#hear(seed, records);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #hear(seed: number, records: readonly TrainRecord[]): void {
    const heard = this.#partial.get(seed) ?? [];
    this.#partial.set(seed, heard);
    for (const record of records) {
      heard.push(record);
      this.#progress.add(record);
      this.#how.chart?.add(record, this.#label, seed);
      this.#how.onRecord?.(record, seed);
    }
  }

  #finish(seed: number, records: readonly TrainRecord[]): void {
    this.#partial.delete(seed);
    this.#runs.set(seed, records);
  }

  #fail(error: Error): void {
    this.#failed ??= error;
    void this.#pool?.stop();
  }

  #result(): SeedRuns {
    const seeds = this.asked.filter((seed) => this.#runs.has(seed));
    const unfinished = this.asked.flatMap((seed) =>
      this.#partial.has(seed) ? [{ seed, records: this.#partial.get(seed)! }] : [],
    );
    const setting = { label: this.#label, options: this.#options, asked: this.asked };
    return new SeedRuns(
      setting,
      seeds,
      seeds.map((seed) => this.#runs.get(seed)!),
      unfinished,
    );
  }

  #text(): string {
    const { here } = this.#handed;
    const where = here ? `, in this thread as ${here.what}` : "";
    return `${this.#label}: ${this.#runs.size} of ${this.asked.length} seeds${where}`;
  }

  #note(): string {
    const left = this.asked.length - this.#runs.size;
    return (
      `Interrupted: ${this.#runs.size} of ${this.asked.length} seeds are finished and kept. ` +
      `trainSeeds(..., { resume: runs }) trains the other ${left}.`
    );
  }
}

function labelOf({ recipe }: Omit<SeedOptions, "signal">): string {
  if (typeof recipe === "string") return recipe;
  return recipe === undefined ? "run" : rowLabel(recipe);
}
