import { runtimeName } from "../types/transform/runtime-name.js";
import type { CellImports, CellModules } from "./cell-imports.js";
import type { SessionHost } from "./host.js";
import type { Interrupts } from "./interrupt.js";

/** Functions that the marks in a cell's code call; one frozen-shape object under a short global name. */
export interface Runtime {
  /** The id of the running cell: output and timers belong to it. */
  c: string;
  /** The value of the last expression. */
  v: unknown;
  /** The mark at a loop head. */
  t(): void;
  /** The mark around an awaited value, with the object whose method has returned it, and the place of the `await`. */
  w(value: unknown, owner?: unknown, site?: string): unknown;
  /** The mark after a wait: `cell` was read before it. */
  r<T>(cell: string, value: T): T;
  /** The mark around the source of a `for await`. */
  it(source: unknown): unknown;
  import(specifier: unknown, wantsDefault?: boolean): Promise<Record<string, unknown>>;
  /** Defines a module of a cell with the `@module` directive. */
  module(name: string, code: string): void;
  /** Runs a magic; `below` is the text below it, or the code that it calls. */
  magic(name: string, rest: string, below?: string | (() => unknown)): unknown;
  /** Writes and loads the file of a cell with `%%module`. */
  file: CellModules["write"];
  /** The newest exports of such a file. */
  exports: CellModules["exports"];
  meta: Record<string, unknown>;
  /** Declares the names of a script of the global form: those that begin at their own line, and those of `var`. */
  d(fresh: readonly string[], vars: readonly string[]): void;
}

/** Installs the runtime under its global name. */
export function installRuntime(
  interrupts: Interrupts,
  imports: CellImports,
  runtime: Runtime,
  magic: Runtime["magic"],
  host: SessionHost,
  setCell: (cell: string) => void,
): void {
  Object.assign(runtime, {
    t: host.mark(interrupts.tick),
    w: interrupts.wait,
    r: <T>(cell: string, value: T): T => {
      setCell(cell);
      return value;
    },
    it: interrupts.iterate,
    import: imports.import,
    module: imports.define,
    magic,
    file: imports.modules.write,
    exports: imports.modules.exports,
    meta: imports.meta,
    d: (fresh: readonly string[], vars: readonly string[]) => host.evaluator.declare(fresh, vars),
  });
  Object.defineProperty(globalThis, runtimeName, {
    value: Object.seal(runtime),
    writable: false,
    configurable: false,
    enumerable: false,
  });
}
