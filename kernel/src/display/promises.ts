// Held here: where a cell has put a polyfill in its place, asynchronous functions still give those of the language.
const Native = Promise;

/** Whether a value is a promise, be it the language's or that of a polyfill. */
export function isPromise(value: unknown): value is Promise<unknown> {
  try {
    if (value instanceof Native) return true;
    const { Promise: present } = globalThis as { Promise?: unknown };
    return typeof present === "function" && value instanceof present;
  } catch {
    // A proxy that is revoked, or throws at every look.
    return false;
  }
}
