/** What a job's function may call while it works. */
export interface JobContext {
  /** Part of the job that is done, in [0, 1], for the time left. */
  readonly report: (fraction: number) => void;
}

export type JobFunction = (options: Readonly<Record<string, unknown>>, context: JobContext) => unknown;
