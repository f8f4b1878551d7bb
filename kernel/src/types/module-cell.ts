import ts from "typescript";
import type { TypePolicy } from "../magics/contract.js";
import { describe } from "./cell-error.js";
import { emitOptions } from "./compiler-options.js";
import type { TypeEngine } from "./engine.js";
import { host } from "./host.js";
import type { Prepared } from "./messages.js";
import { syntaxErrors } from "./syntax.js";
import { runtimeName } from "./transform/runtime-name.js";
import { stops } from "./treatment.js";

/** A cell with a `@module` directive defines a module that later cells import as `./<name>`. */
export function moduleCell(o: {
  module: string;
  source: string;
  /** Name of the cell. */
  name: string;
  policy: TypePolicy;
  own: ts.CompilerOptions;
  engine(): TypeEngine;
}): Prepared {
  const { module, source, name, policy, own } = o;
  const broken = syntaxErrors(source, name);
  const found = broken.length > 0 || policy === "off" ? broken : o.engine().addModule(module, source);
  const stopping = found.filter((diagnostic) => diagnostic.syntax || stops(policy));
  if (stopping.length > 0) return { ok: false, error: describe(stopping, source, name) };
  const { outputText } = host().transpile(source, {
    fileName: `${module}.ts`,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
      ...emitOptions(own),
    },
  });
  const code = `${runtimeName}.module(${JSON.stringify(module)},${JSON.stringify(outputText)});`;
  return { ok: true, code, map: [], vars: [], expressions: {} };
}
