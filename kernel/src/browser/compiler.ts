import type { BrokenAt, ModuleCode } from "../types/module-code.js";

/** Functions that compiler.js offers when it is loaded. */
export interface Compiler {
  readonly typescript: unknown;
  compile(text: string, path: string): ModuleCode | BrokenAt;
}

/** Key under which compiler.js leaves it. */
export const compilerSymbol = Symbol.for("turnwise.compiler");
