import type { Failed } from "./evaluator.js";
import { KernelInterrupt } from "./interrupt.js";
import { slot } from "./state.js";

/** If an interrupt ended a child process and its caller throws, the cell was interrupted there. */
export function interruptedChild(evaluation: Failed, state: Int32Array): Failed {
  if (!("thrown" in evaluation) || state[slot.stop] === 0) return evaluation;
  const { thrown } = evaluation;
  if (!(thrown instanceof Error) || (thrown as { signal?: unknown }).signal !== "SIGINT") return evaluation;
  const said = `The cell was interrupted in a child process: ${thrown.message}`;
  return { ok: false, thrown: Object.assign(new KernelInterrupt(said), { stack: thrown.stack }) };
}
