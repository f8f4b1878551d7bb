import { page, type PageWorker } from "../../base/host/page";
import { failure, type JobNews, type JobThreads, type OutcomeMessage, type ThreadJob } from "../jobThreads";

/** From a worker of a page to whoever gave it a job. */
export type FromJobWorker = { readonly news: JobNews } | { readonly outcome: OutcomeMessage };

/** Starts workers of the page. */
export function startThreads(count: number): JobThreads {
  const { startJobWorker } = page();
  if (startJobWorker) return new PageThreads(count, startJobWorker);
  throw new RangeError(
    "Cannot train on workers: the page must say how to start one. Give workers: 0 to run in this thread, " +
      "or call setUp({ startJobWorker }) of turnwise/browser.",
  );
}

interface Waiting {
  readonly job: ThreadJob;
  readonly hear: (news: JobNews) => void;
  readonly resolve: (outcome: OutcomeMessage) => void;
}

class PageThreads implements JobThreads {
  completed = 0;
  readonly #idle: PageWorker[] = [];
  readonly #busy = new Map<PageWorker, Waiting>();
  readonly #waiting: Waiting[] = [];
  readonly #lost = new Set<(error: Error) => void>();
  #ended = false;
  #deaths = 0;

  constructor(
    readonly maxThreads: number,
    private readonly startWorker: () => PageWorker,
  ) {
    for (let i = 0; i < maxThreads; i++) this.#start();
  }

  run(job: ThreadJob, hear: (news: JobNews) => void): Promise<OutcomeMessage> {
    return new Promise((resolve) => {
      this.#waiting.push({ job, hear, resolve });
      this.#next();
    });
  }

  onLost(listener: (error: Error) => void): () => void {
    this.#lost.add(listener);
    return () => this.#lost.delete(listener);
  }

  destroy(): Promise<void> {
    this.#ended = true;
    for (const worker of [...this.#idle, ...this.#busy.keys()]) worker.terminate();
    this.#idle.length = 0;
    this.#busy.clear();
    return Promise.resolve();
  }

  #start(): void {
    const worker = this.startWorker();
    worker.onmessage = ({ data }) => this.#hear(worker, data as FromJobWorker);
    worker.onerror = (event) => {
      event.preventDefault?.();
      this.#died(worker, new Error(event.message ?? "a worker of the page could not start"));
    };
    this.#idle.push(worker);
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const [worker, waiting] = [this.#idle.shift()!, this.#waiting.shift()!];
      this.#busy.set(worker, waiting);
      try {
        worker.postMessage(waiting.job);
      } catch (error) {
        this.#end(worker, failure(error, false));
      }
    }
  }

  #hear(worker: PageWorker, message: FromJobWorker): void {
    if ("news" in message) this.#busy.get(worker)?.hear(message.news);
    else this.#end(worker, message.outcome);
  }

  #end(worker: PageWorker, outcome: OutcomeMessage): void {
    const waiting = this.#busy.get(worker);
    if (!waiting) return;
    this.#busy.delete(worker);
    this.#idle.push(worker);
    this.completed++;
    this.#deaths = 0;
    waiting.resolve(outcome);
    this.#next();
  }

  /** A stray error ends its worker: the job failed, and another worker takes its place. */
  #died(worker: PageWorker, error: Error): void {
    if (this.#ended) return;
    worker.terminate();
    const waiting = this.#busy.get(worker);
    this.#busy.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    waiting?.resolve(failure(error, false));
    // Workers that die one after the other without a job done cannot start at all.
    if (++this.#deaths <= 2 * this.maxThreads) this.#start();
    else if (this.#idle.length + this.#busy.size === 0) for (const lost of [...this.#lost]) lost(error);
    this.#next();
  }
}
