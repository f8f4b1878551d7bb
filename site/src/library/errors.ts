/** A function of Node that a page cannot have: it says why. */
export const refused = (why: string) => (): never => {
  throw new Error(`Cannot ${why}`);
};

/** An error with the code by which programs know it. */
export const coded = <E extends Error>(error: E, code: string): E & { readonly code: string } =>
  Object.assign(error, { code });

/** A value as Node's errors name it. */
export function received(value: unknown): string {
  if (value === null || value === undefined) return `Received ${String(value)}`;
  if (typeof value === "function") return `Received function ${value.name}`;
  if (typeof value === "object") return `Received an instance of ${value.constructor?.name ?? "Object"}`;
  const text = typeof value === "string" ? `'${value}'` : String(value);
  return `Received type ${typeof value} (${text.length > 28 ? `${text.slice(0, 25)}...` : text})`;
}

/** Signal that cancels a wait. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(name: string, run: () => void): void;
  removeEventListener(name: string, run: () => void): void;
}

/** Why a wait is over that its signal has called off. */
export function abortError(signal: Signal): Error {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  return coded(Object.assign(error, { name: "AbortError" }), "ABORT_ERR");
}
