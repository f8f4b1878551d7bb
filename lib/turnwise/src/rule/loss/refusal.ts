import { isInterrupt } from "../../base/isInterrupt";

const refusals = new WeakSet<Error>();

/** An error about a custom loss or gate, which names it by its label; `what` completes "Cannot ...", `why` "as ...". */
export function refusal(
  label: string,
  why: string,
  Kind: typeof RangeError | typeof TypeError = RangeError,
  what = "compute loss",
  cause?: unknown,
): Error {
  const error = new Kind(`Cannot ${what} "${label}": ${why}`, cause === undefined ? {} : { cause });
  refusals.add(error);
  return error;
}

/** Error from a custom function: a refusal of ours as it is, all else with the function's name and its cause. */
export function thrownBy(label: string, error: unknown, what = "compute loss"): Error {
  if (error instanceof Error && (refusals.has(error) || isInterrupt(error))) return error;
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return refusal(label, `it must not throw, but it threw ${said}`, TypeError, what, error);
}
