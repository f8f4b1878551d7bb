import { machine } from "#machine";
import { failure, type ErrorMessage, type JobNews, type JobThreads, type OutcomeMessage } from "./jobThreads";
import type { ResolvedTask } from "./task";
import { keepThreads, takeThreads } from "./threads";

/** Hands out jobs and takes what becomes of them. */
export interface PoolHost<J> {
  /** The next job that can start now; undefined when there is none (yet). */
  next(): J | undefined;
  optionsOf(job: J): Readonly<Record<string, unknown>>;
  onProgress(job: J, fraction: number): void;
  /** Something that a job hands on while it works. */
  onEmit?(job: J, value: unknown): void;
  onDone(job: J, value: string, seconds: number): void;
  onError(job: J, error: Error): void;
}

/**
 * Feeds the jobs of a host to worker threads until it has no more.
 *
 * A job is handed over only once a thread is free for it, because the results so far decide which may start next.
 */
export class WorkerPool<J> {
  #threads: JobThreads | undefined;
  #workers = 0;
  #running = 0;
  #stopped = false;
  readonly #ended: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(
    private readonly task: ResolvedTask,
    private readonly host: PoolHost<J>,
  ) {
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Resolves once nothing runs and nothing can start. Rejects if the task cannot be loaded. */
  async run(workers: number): Promise<void> {
    if (this.#stopped) return;
    this.#workers = workers;
    const threads = (this.#threads = takeThreads(workers, modulesKey(this.task)));
    const unlisten = threads.onLost((error) => this.#reject(error));
    this.#feed();
    try {
      await this.#ended;
      this.#release();
    } finally {
      unlisten();
      await this.stop();
    }
  }

  /** Ends all workers at once; jobs that were running give no result. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resolve();
    const threads = this.#threads;
    this.#threads = undefined;
    await threads?.destroy();
  }

  /** Node's own module of the user's may have changed by the next sweep, which must load it again. */
  #release(): void {
    const { own, modules } = this.task;
    if (this.#stopped || !own || (modules && modules.plain.length > 0)) return;
    keepThreads(this.#threads!, modulesKey(this.task));
    this.#threads = undefined;
  }

  /** A result may free jobs that waited for it, so every idle worker asks again. */
  #feed(): void {
    while (!this.#stopped && this.#running < this.#workers) {
      const job = this.host.next();
      if (job === undefined) break;
      this.#running++;
      void this.#start(job);
    }
    if (this.#running === 0) this.#resolve();
  }

  async #start(job: J): Promise<void> {
    const hear = (news: JobNews): void => {
      if (this.#stopped) return;
      if (typeof news === "number") this.host.onProgress(job, news);
      else this.host.onEmit?.(job, news.emitted);
    };
    // A stray exception or process.exit in a job ends its thread: the job failed, the others go on.
    const outcome = await this.#send(job, hear).catch((error: Error) => failure(error, false));
    this.#running--;
    if (this.#stopped) return;
    try {
      this.#hear(job, outcome);
      this.#feed();
    } catch (error) {
      // The host could not keep a result: no other would fare better.
      this.#reject(error as Error);
    }
  }

  async #send(job: J, hear: (news: JobNews) => void): Promise<OutcomeMessage> {
    return this.#threads!.run({ task: this.task, options: this.host.optionsOf(job) }, hear);
  }

  #hear(job: J, outcome: OutcomeMessage): void {
    if (outcome.t === "done") this.host.onDone(job, outcome.value, outcome.seconds);
    else if (outcome.fatal) this.#reject(rebuilt(outcome));
    else this.host.onError(job, rebuilt(outcome));
  }
}

/** Names what a thread loads besides the library, by its text. */
function modulesKey({ modules }: ResolvedTask): string {
  if (!modules) return "";
  return machine.digest(JSON.stringify(modules.sources));
}

const known: Readonly<Record<string, new (message: string, o?: ErrorOptions) => Error>> = {
  TypeError,
  RangeError,
};

function rebuilt({ name, message, stack, cause }: ErrorMessage): Error {
  const error = new (known[name] ?? Error)(message, cause && { cause: rebuilt(cause) });
  error.name = name;
  error.stack = stack;
  return error;
}
