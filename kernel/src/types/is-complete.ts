import ts from "typescript";
import type { JsonObject } from "../protocol/message.js";

/**
 * Whether a console should run the code or wait for more lines.
 *
 * tslab's `isCompleteCode` decides what is unfinished. As it knows no invalid code and takes an open template
 * literal for complete, TypeScript's own parser is asked as well.
 */
export function isComplete(code: string): JsonObject {
  // An empty line at the end means "run it in any case".
  const forced = /(^|\n)[ \t]*\n[ \t]*$/.test(code);
  const file = ts.createSourceFile("input.ts", code, ts.ScriptTarget.ESNext);
  const errors = (file as unknown as { parseDiagnostics: ts.DiagnosticWithLocation[] }).parseDiagnostics;
  if (errors.length === 0) return { status: "complete" };
  if (!forced) {
    const openText = errors.some(({ code }) => [1160, 1010].includes(code));
    if (openText) return { status: "incomplete", indent: "" };
    // Loaded on first use only: it brings a TypeScript of its own.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { isCompleteCode } = require("tslab/dist/converter.js") as typeof import("tslab/dist/converter.js");
    const verdict = isCompleteCode(code);
    if (!verdict.completed) return { status: "incomplete", indent: verdict.indent ?? "" };
  }
  return { status: "invalid" };
}
