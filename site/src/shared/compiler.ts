import type { BrokenAt, ModuleCode } from "turnwise-kernel/internal/types/module-code";

/** Functions that compiler.js offers when it is loaded. */
export interface Compiler {
  readonly typescript: unknown;
  compile(text: string, path: string): ModuleCode | BrokenAt;
}

/** Key under which compiler.js leaves it. */
export const compilerSymbol = Symbol.for("turnwise.compiler");
