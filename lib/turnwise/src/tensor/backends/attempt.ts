/** The backends that are tried, those with a GPU first. */
export type BackendName = "node-gpu" | "webgpu" | "node" | "cpu";

/** Whether a backend loaded, and why not. */
export interface BackendAttempt {
  readonly name: BackendName;
  readonly package: string;
  /** Whether it can be used; of several, the fastest runs. */
  readonly loaded: boolean;
  /** One phrase on what loaded, or why not. */
  readonly reason: string;
}

export interface Outcome {
  readonly loaded: boolean;
  readonly text: string;
}

export type ImportPackage = (name: string) => Promise<unknown>;

/** Description of the thrown value, as a phrase for a report. */
export function phraseOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0]!.slice(0, 200);
}
