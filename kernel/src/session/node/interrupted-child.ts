import type { Failed } from "../evaluation.js";
import { KernelInterrupt } from "../interrupt.js";
import { slot } from "../state.js";

/** If an interrupt ended a child process and its caller throws, the cell was interrupted there. */
export function interruptedChild(evaluation: Failed, state: Int32Array): Failed {
  if (!("thrown" in evaluation) || state[slot.stop] === 0) return evaluation;
  const { thrown } = evaluation;
  if (!(thrown instanceof Error)) return evaluation;
  const { signal, status, pid } = thrown as { signal?: unknown; status?: unknown; pid?: unknown };
  // A shell that has heard of it, or any program that cleans up, ends by itself with a status of its own.
  const ownStatus = typeof pid === "number" && typeof status === "number";
  if (signal !== "SIGINT" && !ownStatus) return evaluation;
  const said = `The cell was interrupted in a child process: ${thrown.message}`;
  return { ok: false, thrown: Object.assign(new KernelInterrupt(said), { stack: thrown.stack }) };
}
