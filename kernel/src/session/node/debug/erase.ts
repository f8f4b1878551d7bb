import { createRequire } from "node:module";
import type { Diagnostic } from "typescript";

const load = createRequire(__filename);
/** Means the same in both languages, so that TypeScript need not be loaded for it. */
const plainPath = /^\s*[\p{ID_Start}$_][\p{ID_Continue}$]*(\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*\s*$/u;

/** Removes the types of TypeScript typed at a breakpoint, for V8. */
export function eraseTypes(expression: string): string {
  if (plainPath.test(expression)) return expression;
  // Loading takes 200 ms, and most sessions are never debugged.
  const { Edits } = load(
    "../../../types/transform/edits.js",
  ) as typeof import("../../../types/transform/edits.js");
  const { NeedsDownlevel, stripTypes } = load(
    "../../../types/transform/strip.js",
  ) as typeof import("../../../types/transform/strip.js");
  const { parse } = load(
    "../../../types/transform/parse.js",
  ) as typeof import("../../../types/transform/parse.js");
  const file = parse(expression, "expression.ts");
  const [wrong] = (file as unknown as { parseDiagnostics: Diagnostic[] }).parseDiagnostics;
  if (wrong) throw new SyntaxError(`SyntaxError: ${textOf(wrong)}`);
  try {
    const edits = new Edits(expression);
    stripTypes(file, edits);
    return edits.build().code;
  } catch (error) {
    if (!(error instanceof NeedsDownlevel)) throw error;
    const ts = load("typescript") as typeof import("typescript");
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
    return ts.transpileModule(expression, { compilerOptions }).outputText;
  }
}

function textOf({ messageText }: Diagnostic): string {
  return typeof messageText === "string" ? messageText : messageText.messageText;
}
