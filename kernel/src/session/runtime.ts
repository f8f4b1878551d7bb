import { runtimeName } from "../types/transform/runtime-name.js";
import type { Imports } from "./imports.js";
import type { NotebookModules } from "./notebook-modules.js";
import type { Interrupts } from "./interrupt.js";

/** What the marks in a cell's code call; one frozen-shape object under a short global name. */
export interface Runtime {
  /** The id of the running cell: output and timers belong to it. */
  c: string;
  /** The value of the last expression. */
  v: unknown;
  /** The mark at a loop head. */
  t(): void;
  /** The mark around an awaited value, and the object whose method has returned it. */
  w(value: unknown, owner?: unknown): unknown;
  /** The mark after a wait: `cell` was read before it. */
  r<T>(cell: string, value: T): T;
  /** The mark around the source of a `for await`. */
  it(source: unknown): AsyncIterable<unknown>;
  import(specifier: unknown): Promise<Record<string, unknown>>;
  /** Defines a module of a cell with the `@module` directive. */
  module(name: string, code: string): void;
  /** Runs a magic; `below` is the text below it, or the code that it calls. */
  magic(name: string, rest: string, below?: string | (() => unknown)): unknown;
  /** Writes and loads the file of a cell with `%%module`. */
  file: NotebookModules["write"];
  /** The newest exports of such a file. */
  exports: NotebookModules["exports"];
  meta: Record<string, unknown>;
}

/** Installs the runtime under its global name. */
export function installRuntime(
  interrupts: Interrupts,
  imports: Imports,
  meta: Record<string, unknown>,
  runtime: Runtime,
  magic: Runtime["magic"],
): void {
  Object.assign(runtime, {
    t: interrupts.tick,
    w: interrupts.wait,
    r: <T>(cell: string, value: T): T => {
      runtime.c = cell;
      return value;
    },
    it: interrupts.iterate,
    import: imports.import,
    module: imports.define,
    magic,
    file: imports.modules.write,
    exports: imports.modules.exports,
    meta,
  });
  Object.defineProperty(globalThis, runtimeName, {
    value: Object.seal(runtime),
    writable: false,
    configurable: false,
    enumerable: false,
  });
}
