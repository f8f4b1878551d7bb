import type { BrokenAt, ModuleCode } from "turnwise-kernel/internal/types/module-code";

/** What compiler.js hands over when it is loaded. */
export interface Compiler {
  readonly typescript: unknown;
  compile(text: string, path: string): ModuleCode | BrokenAt;
}

/** Where compiler.js leaves it. */
export const compilerSymbol = Symbol.for("turnwise.compiler");
