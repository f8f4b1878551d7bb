import { format, formatWithOptions, inspect } from "node-inspect-extracted";

// Node's own text of values: node-inspect-extracted is Node's code, cut out of it.
export { format, formatWithOptions, inspect };

type Callback = (error: unknown, value?: unknown) => void;
type Asking = (...given: unknown[]) => unknown;

const custom = Symbol.for("nodejs.util.promisify.custom");

/** A function that takes a callback, as one that gives a promise. */
export const promisify = Object.assign(
  (asking: Asking & { [custom]?: Asking }): Asking =>
    asking[custom] ??
    function (this: unknown, ...given: unknown[]) {
      return new Promise((resolve, reject) => {
        const done: Callback = (error, value) =>
          error === null || error === undefined ? resolve(value) : reject(error as Error);
        asking.call(this, ...given, done);
      });
    },
  { custom },
);

/** The text without colors. */
export function stripVTControlCharacters(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/\u001b\[[\d;]*[A-Za-z]/g, "");
}

/** A page cannot tell a proxy from what it stands for. */
export const types = { isProxy: (_value: unknown): boolean => false };

export const { TextEncoder, TextDecoder } = globalThis;
