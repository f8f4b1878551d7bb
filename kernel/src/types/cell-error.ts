import ts from "typescript";
import { codeFrame } from "../display/code-frame.js";
import type { ErrorContent } from "../protocol/message.js";
import type { CellDiagnostic } from "./engine.js";
import type { Prepared } from "./messages.js";

const mostErrors = 10;

/** The `error` message for diagnostics: line, column, TypeScript's code, and the line itself with carets. */
export function describe(found: CellDiagnostic[], source: string, name: string): ErrorContent {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext);
  const lines: string[] = [];
  let evalue = "";
  for (const diagnostic of found.slice(0, mostErrors)) {
    const { line, character } = file.getLineAndCharacterOfPosition(diagnostic.start);
    const title = `${name}:${line + 1}:${character + 1} - TS${diagnostic.code}: ${diagnostic.message}`;
    if (evalue === "") evalue = title;
    lines.push(title, ...codeFrame(source, line, character, diagnostic.length));
  }
  if (found.length > mostErrors) lines.push(`... and ${found.length - mostErrors} more`);
  return { ename: found[0]!.syntax ? "SyntaxError" : "TypeScriptError", evalue, traceback: lines };
}

/** Refusal for a cell that must not run. */
export function refused({ name: ename, message: evalue }: Error): Prepared {
  return { ok: false, error: { ename, evalue, traceback: [`${ename}: ${evalue}`] } };
}
