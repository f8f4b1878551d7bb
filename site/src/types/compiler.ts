import ts from "typescript";
import { moduleCode } from "turnwise-kernel/internal/types/module-code";
import { compilerSymbol, type Compiler } from "../shared/compiler.js";

// compiler.js: what the worker of cells asks of TypeScript, which it loads only when nobody else has compiled a file for it.

const compiler: Compiler = {
  typescript: ts,
  compile: (text, path) => moduleCode(text, path, ts.transpileModule),
};

(globalThis as unknown as Record<symbol, unknown>)[compilerSymbol] = compiler;
