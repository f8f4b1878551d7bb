import path from "node:path";
import { Worker } from "node:worker_threads";
import type { JobMessage, WorkerMessage } from "./worker";

/** Jobs as the pool asks for them and what becomes of them. */
export interface PoolHost<J> {
  /** The next job that can start now; undefined when there is none (yet). */
  next(): J | undefined;
  optionsOf(job: J): Readonly<Record<string, unknown>>;
  onProgress(job: J, fraction: number): void;
  onDone(job: J, value: string, seconds: number): void;
  onError(job: J, error: Error): void;
}

interface Slot<J> {
  worker: Worker;
  ready: boolean;
  job: J | undefined;
}

/**
 * Worker threads that take jobs from a host until it has no more.
 *
 * A queue on `worker_threads` and no pool library: which job may start depends on results, a running job tells of its
 * progress, and a stop ends busy threads, so that little would be left for a library to do.
 */
export class WorkerPool<J> {
  readonly #slots = new Set<Slot<J>>();
  readonly #ended: Promise<void>;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #stopped = false;

  constructor(
    private readonly task: { readonly module?: string; readonly export: string },
    private readonly host: PoolHost<J>,
  ) {
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends when nothing runs and nothing can start. Rejects when the task cannot be loaded. */
  async run(workers: number): Promise<void> {
    for (let i = 0; i < workers; i++) this.#spawn();
    this.#feed();
    try {
      await this.#ended;
    } finally {
      await this.stop();
    }
  }

  /** Ends all workers at once; jobs that were running give no result. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resolve();
    const workers = [...this.#slots].map(({ worker }) => worker);
    this.#slots.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #spawn(): void {
    const worker = new Worker(path.join(__dirname, "worker.js"), { workerData: this.task });
    const slot: Slot<J> = { worker, ready: false, job: undefined };
    this.#slots.add(slot);
    worker.on("message", (message: WorkerMessage) => this.#hear(slot, message));
    // A stray exception or process.exit in a job ends its thread: the job failed, the others go on.
    worker.on("error", (error) => this.#lose(slot, error as Error));
    worker.on("exit", (code) =>
      this.#lose(slot, new Error(`the worker thread ended with exit code ${code}`)),
    );
  }

  #hear(slot: Slot<J>, message: WorkerMessage): void {
    if (this.#stopped) return;
    if (message.t === "ready") slot.ready = true;
    const { job } = slot;
    if (message.t === "error" && message.fatal) {
      this.#reject(rebuilt(message));
      return;
    }
    if (job === undefined || message.t === "ready") return;
    if (message.t === "progress") {
      this.host.onProgress(job, message.fraction);
      return;
    }
    slot.job = undefined;
    if (message.t === "done") this.host.onDone(job, message.value, message.seconds);
    else this.host.onError(job, rebuilt(message));
    this.#feed();
  }

  #lose(slot: Slot<J>, error: Error): void {
    if (this.#stopped || !this.#slots.delete(slot)) return;
    // One that dies while it starts would die again for ever.
    if (!slot.ready) {
      this.#reject(error);
      return;
    }
    if (slot.job !== undefined) this.host.onError(slot.job, error);
    this.#spawn();
    this.#feed();
  }

  /** A result may free jobs that waited for it, so every idle worker asks again. */
  #feed(): void {
    if (this.#stopped) return;
    for (const slot of this.#slots) {
      if (slot.job !== undefined) continue;
      const job = this.host.next();
      if (job === undefined) break;
      slot.job = job;
      slot.worker.postMessage({ options: this.host.optionsOf(job) } satisfies JobMessage);
    }
    if ([...this.#slots].every(({ job }) => job === undefined)) this.#resolve();
  }
}

const known: Readonly<Record<string, new (message: string) => Error>> = { TypeError, RangeError };

function rebuilt({ name, message, stack }: { name: string; message: string; stack: string }): Error {
  const error = new (known[name] ?? Error)(message);
  error.name = name;
  error.stack = stack;
  return error;
}
