import ts from "typescript";
import { Edits } from "turnwise-kernel/dist/types/transform/edits.js";
import { NeedsDownlevel, stripTypes } from "turnwise-kernel/dist/types/transform/strip.js";

export function parsed(source: string): ts.SourceFile {
  return ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ESNext, true);
}

/** The text without its types; undefined where it needs TypeScript's printer. */
export function stripped(file: ts.SourceFile): string | undefined {
  const edits = new Edits(file.text);
  try {
    stripTypes(file, edits);
  } catch (error) {
    if (error instanceof NeedsDownlevel) return undefined;
    throw error;
  }
  return edits.build().code;
}

/** What is written, without blanks and semicolons. */
export const ink = (text: string): string => text.replace(/[\s;]/g, "");
