/** Functions that a job's function may call while it works. */
export interface JobContext {
  /** Part of the job that is done, in [0, 1], for the time left. */
  readonly report: (fraction: number) => void;
  /** Hands plain data to whoever runs the job, before the job's own value. */
  readonly emit?: (value: unknown) => void;
}

export type JobFunction = (options: Readonly<Record<string, unknown>>, context: JobContext) => unknown;
