import ts from "typescript";
import type { JsonObject } from "../protocol/message.js";
import { needsJsx } from "./jsx.js";

/** Whether a console should run the code or wait for more lines; what is unfinished is what tslab takes for it, and open text. */
export function isComplete(code: string): JsonObject {
  const errors = errorsIn(code, ts.ScriptKind.TS);
  if (errors.length === 0 || needsJsx(code)) return { status: "complete" };
  // An empty line at the end means "run it in any case".
  if (/(^|\n)[ \t]*\n[ \t]*$/.test(code)) return { status: "invalid" };
  if (errors.some((error) => [1160, 1010].includes(error.code))) return { status: "incomplete", indent: "" };
  return endsEarly(code.replace(/[ \t]+$/, ""))
    ? { status: "incomplete", indent: nextIndent(code) }
    : { status: "invalid" };
}

/** Whether the parser misses something at the end. Read as JSX, since elements may be open as well. */
function endsEarly(code: string): boolean {
  return errorsIn(code, ts.ScriptKind.TSX).some(
    ({ start, length, messageText }) =>
      start === code.length &&
      length === 0 &&
      typeof messageText === "string" &&
      messageText.endsWith(" expected."),
  );
}

/** The white space that the next line begins with: more behind an open bracket, less behind a closed one. */
function nextIndent(code: string): string {
  const line = code.slice(code.lastIndexOf("\n") + 1);
  const indent = /^\s*/.exec(line)![0];
  if (/^((?!.*?\/\*).*\*\/)?\s*[}\]].*$/.test(line)) return indent.replace(/(?: {2}|\t| )$/, "");
  return /^((?!\/\/).)*(\{[^}"'`]*|\([^)"'`]*|\[[^\]"'`]*)$/.test(line) ? `${indent}  ` : indent;
}

function errorsIn(code: string, kind: ts.ScriptKind): readonly ts.DiagnosticWithLocation[] {
  const file = ts.createSourceFile("input.ts", code, ts.ScriptTarget.ESNext, false, kind);
  return (file as unknown as { parseDiagnostics: ts.DiagnosticWithLocation[] }).parseDiagnostics;
}
