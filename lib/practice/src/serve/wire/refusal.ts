/** OpenEnv's codes for what a server refuses. */
export type ErrorCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED"
  | "FACTORY_ERROR"
  | "SESSION_ERROR";

/** Refusal of a request, because of an error of the client or a limit: the session continues unchanged. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** More about it for programs, beside message and code. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The refusal that an error means: what a world throws has the code of an execution that failed. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal("EXECUTION_ERROR", error instanceof Error ? error.message : String(error));
}

/** @throws {Refusal} unless the text is JSON; `what` names it */
export function parsed(what: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Refusal("INVALID_JSON", `Cannot read ${what}: it must be JSON: ${(error as Error).message}`);
  }
}
