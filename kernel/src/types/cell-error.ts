import ts from "typescript";
import { codeFrame } from "../display/code-frame.js";
import type { ErrorContent } from "../protocol/message.js";
import type { CellDiagnostic } from "./engine.js";
import type { Prepared } from "./messages.js";

const mostErrors = 10;

/** The `error` message for diagnostics: line, column, TypeScript's code, and the line itself with carets. */
export function describe(found: CellDiagnostic[], source: string, name: string): ErrorContent {
  const lines: string[] = [];
  let evalue = "";
  for (const diagnostic of found.slice(0, mostErrors)) {
    const { within } = diagnostic;
    const at = within ? place(within.name, within.source, within) : place(name, source, diagnostic);
    const title = `${at.text} - TS${diagnostic.code}: ${diagnostic.message}`;
    if (evalue === "") evalue = title;
    lines.push(title, ...at.frame);
    if (!within) continue;
    const imported = place(name, source, diagnostic);
    lines.push(`imported at ${imported.text}`, ...imported.frame);
  }
  if (found.length > mostErrors) lines.push(`... and ${found.length - mostErrors} more`);
  const outside = found.find(({ within }) => within)?.within;
  if (outside)
    lines.push(`"// @ts-nocheck" as the first line of ${outside.name}, or "%types warn", takes it as it is.`);
  return { ename: found[0]!.syntax ? "SyntaxError" : "TypeScriptError", evalue, traceback: lines };
}

function place(
  name: string,
  source: string,
  { start, length }: { start: number; length: number },
): { text: string; frame: string[] } {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.ESNext);
  const { line, character } = file.getLineAndCharacterOfPosition(start);
  return { text: `${name}:${line + 1}:${character + 1}`, frame: codeFrame(source, line, character, length) };
}

/** Refusal for a cell that must not run. */
export function refused({ name: ename, message: evalue }: Error): Prepared {
  return { ok: false, error: { ename, evalue, traceback: [`${ename}: ${evalue}`] } };
}
