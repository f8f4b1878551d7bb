import { Console } from "node:console";
import { printable, tabled } from "../../display/bounded.js";
import { textOfChunks } from "../chunks.js";
import { limits } from "../../display/settings.js";
import type { Output } from "../output.js";

/** A text in another encoding stands for its bytes. */
function bytesOrText(chunk: string | Uint8Array, encoding: unknown): string | Uint8Array {
  const isBytes = typeof chunk === "string" && typeof encoding === "string" && !/^utf-?8$/i.test(encoding);
  return isBytes ? Buffer.from(chunk, encoding as BufferEncoding) : chunk;
}

// Held here: a cell may replace them, and the iterator of lists too, which `for-of` and a spread ask for.
const { apply } = Reflect;

/** Texts and numbers, which nearly all is that a cell prints, are handed on as they are. */
function boundedArguments(given: unknown[]): unknown[] {
  for (let i = 0; i < given.length; i++) {
    const one = given[i];
    if (typeof one === "object" && one !== null) given[i] = printable(one, limits.get("logDepth"));
  }
  return given;
}

/** Sends what is printed through `console` and `process.stdout` to the running cell instead of a terminal. */
export function captureOutput(output: Output, clear: () => void): void {
  const write = (name: "stdout" | "stderr") => {
    const text = textOfChunks();
    return (chunk: string | Uint8Array, encoding?: unknown, done?: unknown): boolean => {
      output.stream(name, text(bytesOrText(chunk, encoding)));
      const callback = (typeof encoding === "function" ? encoding : done) as (() => void) | undefined;
      if (typeof callback === "function") process.nextTick(callback);
      return true;
    };
  };
  // Bare objects instead of streams, and no error handling: otherwise Node's console would add and remove listeners and
  // wait for a callback at each line.
  const target = (name: "stdout" | "stderr"): NodeJS.WritableStream =>
    ({ write: write(name) }) as unknown as NodeJS.WritableStream;
  for (const name of ["stdout", "stderr"] as const) {
    Object.defineProperty(process[name], "write", { value: write(name), writable: true, configurable: true });
  }
  const cellConsole = new Console({
    stdout: target("stdout"),
    stderr: target("stderr"),
    colorMode: false,
    ignoreErrors: false,
    // Read at each call, since a cell may change it.
    inspectOptions: {
      get depth() {
        return limits.get("logDepth");
      },
    },
  });
  for (const name of [
    "log",
    "info",
    "debug",
    "dirxml",
    "warn",
    "error",
    "group",
    "groupCollapsed",
  ] as const) {
    const print = cellConsole[name];
    cellConsole[name] = (...given: unknown[]) => apply(print, cellConsole, boundedArguments(given));
  }
  const { table } = cellConsole;
  cellConsole.table = (data?: unknown, columns?: readonly string[]) => {
    const { rows, rest } = tabled(data);
    table(rows, columns);
    if (rest !== undefined) cellConsole.log(rest);
  };
  cellConsole.clear = clear;
  Object.defineProperty(globalThis, "console", { value: cellConsole, writable: true, configurable: true });
}
