import ts from "typescript";

/** Directives in the doc comments at the top of a cell. */
export interface Directives {
  jsx: boolean;
  /** The cell is a module of this name instead of a script. */
  module?: string;
}

interface DocComment {
  jsDoc: ts.JSDoc;
  diagnostics: readonly ts.Diagnostic[];
}

// What TypeScript has and does not declare.
interface Undeclared {
  parseIsolatedJSDocComment(text: string): DocComment | undefined;
}

/** Reads tslab's directives, doc comments with `@module name` or `@jsx` at the top of a cell, as tslab does. */
export function directives(source: string): Directives {
  const found: Directives = { jsx: false };
  if (!/\/\*\*[\s\S]*@(module|jsx)\b/.test(source)) return found;
  for (const { pos, end } of ts.getLeadingCommentRanges(source, 0) ?? []) {
    const doc = (ts as unknown as Undeclared).parseIsolatedJSDocComment(source.slice(pos, end));
    if (!doc || doc.diagnostics.length > 0) continue;
    for (const { tagName, comment } of doc.jsDoc.tags ?? []) {
      if (tagName.text === "jsx") found.jsx = true;
      if (tagName.text === "module" && typeof comment === "string" && /^\w+$/.test(comment))
        found.module = comment;
    }
  }
  return found;
}
