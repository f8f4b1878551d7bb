import type { Failed } from "turnwise-kernel/internal/session/evaluation";
import { web } from "./web.js";

/** A worker reports its own syntax errors at once. */
const longestWaitMs = 2_000;

/**
 * Place of the error in a text that does not compile. The error of `eval` does not tell; that of a worker does, which
 * never runs the text, since it does not compile.
 */
export async function syntaxErrorOf(text: string, error: unknown): Promise<Failed> {
  if (!(error instanceof SyntaxError)) return { ok: false, thrown: error };
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new web.Worker(url);
  try {
    return await new Promise((resolve) => {
      const failed = (line: number, column: number): void =>
        resolve({ ok: false, syntaxError: error.message, line, column });
      worker.onerror = (event) => {
        event.preventDefault();
        failed(event.lineno - 1, event.colno - 1);
      };
      setTimeout(() => failed(0, 0), longestWaitMs);
    });
  } finally {
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}
