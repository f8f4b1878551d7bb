import type { ResolvedTask } from "./task";

/** A job for a thread. */
export interface ThreadJob {
  readonly task: ResolvedTask;
  readonly options: Readonly<Record<string, unknown>>;
}

/** From a worker: a job failed. If `fatal`, no job of the task can run. */
export interface ErrorMessage {
  readonly t: "error";
  readonly fatal: boolean;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Error that caused it, such as that of a user's function, with the line of its module. */
  readonly cause?: ErrorMessage;
}

/** From a worker: what became of a job. */
export type OutcomeMessage =
  { readonly t: "done"; readonly value: string; readonly seconds: number } | ErrorMessage;

/** From a worker while it works: the part of the job that is done, or what the job hands on. */
export type JobNews = number | { readonly emitted: unknown };

/** Threads that run the jobs of sweeps: Node's worker threads, or workers of a page. */
export interface JobThreads {
  readonly maxThreads: number;
  /** Number of jobs they have done. */
  readonly completed: number;
  /**
   * Runs a job on the thread that is free.
   *
   * @throws {Error} if the thread dies; the others go on
   */
  run(job: ThreadJob, hear: (news: JobNews) => void): Promise<OutcomeMessage>;
  /** Calls a function once no thread is left, as none could start. Call what it returns to end that. */
  onLost(listener: (error: Error) => void): () => void;
  /** Ends them all, in the middle of their jobs. */
  destroy(): Promise<void>;
}

export function failure(thrown: unknown, fatal: boolean): ErrorMessage {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack = "", cause } = error;
  return {
    t: "error",
    fatal,
    name,
    message,
    stack,
    ...(cause instanceof Error && { cause: failure(cause, fatal) }),
  };
}
