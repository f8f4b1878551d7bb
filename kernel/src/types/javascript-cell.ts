import ts from "typescript";
import type { CellDiagnostic, TypeEngine } from "./engine.js";
import { host } from "./host.js";
import { impliedGlobals } from "./implied-globals.js";
import type { MagicCell } from "./magic-lines.js";
import { unshifted } from "./magic-shift.js";
import type { Prepared } from "./messages.js";
import { transformCell } from "./transform/cell.js";

/**
 * Errors that only a program with declared types can have: properties that an object gets later, arguments left out, and names
 * declared again.
 */
const fineCodes = new Set([2300, 2339, 2403, 2451, 2551, 2554, 2555]);
/** The errors of `noImplicitAny`, which a tsconfig.json may ask for, are among them. */
const fineInJavaScript = (code: number): boolean => fineCodes.has(code) || (code >= 7005 && code <= 7057);

/** Errors of strict mode alone: `with`, `010`, `delete x`, names such as `interface`. */
const strictOnly = new Set([1100, 1101, 1102, 1121, 1212, 1213, 1214, 1487, 1489, 2410]);

/** Errors of the parser that are errors in plain JavaScript, too. */
export const ofSloppy = (found: CellDiagnostic[]): CellDiagnostic[] =>
  found.filter(({ code }) => !strictOnly.has(code));

/** The check of a cell, with the source that later cells see. */
export interface CheckedCell {
  found: CellDiagnostic[];
  source: string;
  /** Globals that its assignments make. */
  implied: string[];
}

/** Checks a cell of plain JavaScript: its assignments make globals, and what any JavaScript does is no error. */
export function checkJavaScript(
  engine: TypeEngine,
  source: string,
  isKnown: (name: string) => boolean,
): CheckedCell {
  const implied = impliedGlobals(source, isKnown);
  const declarations = implied.map((one) => `${one}: any`).join(", ");
  const whole = implied.length === 0 ? source : `${source}\n;declare var ${declarations};`;
  const found = engine.check(whole);
  return { found: ofSloppy(found).filter(({ code }) => !fineInJavaScript(code)), source: whole, implied };
}

/** Whether code returns a value at its top level, as a cell of .NET's JavaScript does. */
export function returnsAtTop(file: ts.SourceFile): boolean {
  const visit = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    return (
      ts.isReturnStatement(node) || (ts.forEachChild(node, (child) => visit(child) || undefined) ?? false)
    );
  };
  return file.statements.some(visit);
}

/** A cell of JavaScript that returns a value: a function, whose names are its own. */
export function returningCell(read: MagicCell, name: string, known: (name: string) => boolean): Prepared {
  const lead = "await (async () => {";
  const cell = transformCell(`${lead}${read.runs}\n})()`, name, { form: host().form, known, sloppy: true });
  const shift = { line: 0, column: 0, lead: lead.length, code: 0 };
  return { ok: true, ...unshifted(cell, [shift]), expressions: {} };
}
