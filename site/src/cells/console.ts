import { formatWithOptions, inspect } from "../library/node/util.js";
import { printable, tabled } from "turnwise-kernel/internal/display/bounded";
import { textOfChunks } from "turnwise-kernel/internal/session/chunks";
import type { Output } from "turnwise-kernel/internal/session/output";
import { table } from "./table.js";

/** Levels of an object that Node's printer shows. */
const usualDepth = 2;

type Stream = "stdout" | "stderr";

/** The console of cells, with the text of Node's. */
export class CellConsole {
  private indent = "";
  private readonly counts = new Map<string, number>();
  private readonly times = new Map<string, number>();

  constructor(
    private readonly write: (name: Stream, text: string) => void,
    readonly clear: () => void,
  ) {}

  private print(name: Stream, given: readonly unknown[]): void {
    const shown = given.map((one) => printable(one, usualDepth));
    const text = formatWithOptions({ colors: false }, ...shown);
    const indented = this.indent === "" ? text : this.indent + text.replaceAll("\n", `\n${this.indent}`);
    this.write(name, `${indented}\n`);
  }

  readonly log = (...given: unknown[]): void => this.print("stdout", given);
  readonly info = this.log;
  readonly debug = this.log;
  readonly dirxml = this.log;
  readonly error = (...given: unknown[]): void => this.print("stderr", given);
  readonly warn = this.error;

  readonly trace = (...given: unknown[]): void => {
    const error = { name: "Trace", message: formatWithOptions({}, ...given), stack: "" };
    Error.captureStackTrace(error, this.trace);
    this.error(error.stack);
  };

  readonly assert = (holds: unknown, ...given: unknown[]): void => {
    if (holds) return;
    if (typeof given[0] === "string") this.warn(`Assertion failed: ${given[0]}`, ...given.slice(1));
    else this.warn(...(given.length === 0 ? ["Assertion failed"] : ["Assertion failed:", ...given]));
  };

  readonly dir = (value: unknown, o: object = {}): void => {
    this.print("stdout", [inspect(value, { customInspect: false, ...o })]);
  };

  readonly table = (value: unknown, columns?: readonly string[]): void => {
    const { rows, rest } = tabled(value);
    const text = table(rows, columns);
    if (text === undefined) this.log(value);
    else this.print("stdout", [text]);
    if (rest !== undefined) this.log(rest);
  };

  readonly group = (...given: unknown[]): void => {
    if (given.length > 0) this.log(...given);
    this.indent += "  ";
  };

  readonly groupCollapsed = this.group;

  readonly groupEnd = (): void => {
    this.indent = this.indent.slice(2);
  };

  readonly count = (label = "default"): void => {
    const count = (this.counts.get(label) ?? 0) + 1;
    this.counts.set(label, count);
    this.log(`${label}: ${count}`);
  };

  readonly countReset = (label = "default"): void => {
    this.counts.delete(label);
  };

  readonly time = (label = "default"): void => {
    this.times.set(label, performance.now());
  };

  readonly timeLog = (label = "default", ...given: unknown[]): void => {
    const begun = this.times.get(label);
    if (begun !== undefined) this.log("%s: %s", label, duration(performance.now() - begun), ...given);
  };

  readonly timeEnd = (label = "default"): void => {
    this.timeLog(label);
    this.times.delete(label);
  };
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Number(ms.toFixed(3))}ms` : `${(ms / 1_000).toFixed(3)}s`;
}

/** Sends what is printed to the running cell; the browser's own console stays as it is for what the kernel itself says. */
export function installConsole(output: Output, clear: () => void): void {
  const cellConsole = new CellConsole((name, text) => output.stream(name, text), clear);
  Object.defineProperty(globalThis, "console", { value: cellConsole, writable: true, configurable: true });
  const { process } = globalThis as { process?: unknown };
  for (const name of ["stdout", "stderr"] as const) {
    const text = textOfChunks();
    Object.assign((process as Record<Stream, object>)[name], {
      write(chunk: string | Uint8Array, ...rest: unknown[]) {
        output.stream(name, text(chunk));
        const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
        if (done) queueMicrotask(done);
        return true;
      },
    });
  }
}
