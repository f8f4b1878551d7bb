import ts from "typescript";
import { host } from "../host.js";
import { namesApart } from "./apart.js";
import { Edits, originalPosition, type PositionMap } from "./edits.js";
import { asFunction, refuseReturns } from "./globals.js";
import { namespaceAliases } from "./imports.js";
import { addMarks } from "./marks.js";
import {
  closeLastValue,
  keepLastValue,
  rewriteTopLevel,
  varNames,
  type CellForm,
  type TopLevel,
} from "./modules.js";
import { decodeSourceMap } from "./sourcemap.js";
import { parse } from "./parse.js";
import { NeedsDownlevel, stripTypes } from "./strip.js";

/** A cell as the session runs it. */
export interface TransformedCell {
  /** The text of a script for V8's REPL mode, or that of an asynchronous function. */
  code: string;
  /** From positions in `code` to positions in the cell. */
  map: PositionMap;
  /** Names that must exist before the cell runs: those of its `var`. */
  vars: string[];
}

/** Options of reading a cell, and of the notebook's tsconfig.json for the JavaScript that is made of it. */
export interface TransformOptions {
  jsx?: boolean;
  options?: ts.CompilerOptions;
  form?: CellForm;
  /** It is a script that is strict only where it says so, as JavaScript's scripts are. */
  sloppy?: boolean;
  /** Whether this cell or an earlier one declares a name; without it, names that engines and packages know are left as they are. */
  known?: (name: string) => boolean;
}

/** Position in the cell of a position in the text that is transformed. */
type ToCell = (line: number, column: number) => readonly [number, number] | undefined;

// Functions, classes and modules are strict in TypeScript: a frozen object must refuse writes in cells too.
const prologue = '"use strict";';

/**
 * Turns a TypeScript cell into JavaScript: by default a script for V8's REPL mode.
 *
 * Types are replaced with spaces, so most columns stay. A cell with an enum, a namespace, decorators, `using`,
 * parameter properties or JSX goes through TypeScript's printer first, whose source map keeps positions exact.
 */
export function transformCell(
  source: string,
  fileName = "cell.ts",
  o: TransformOptions = {},
): TransformedCell {
  const apart = o.known && namesApart(source, o.jsx ? fileName.replace(/\.ts$/, ".tsx") : fileName, o.known);
  if (!apart) return transform(source, fileName, o, (line, column) => [line, column]);
  const toCell: ToCell = (line, column) => originalPosition(apart.map, line, column);
  const cell = transform(apart.code, fileName, o, toCell, apart.earlier);
  return { ...cell, map: composed(cell.map, apart.map) };
}

function transform(
  source: string,
  fileName: string,
  { jsx = false, options = {}, form = "repl", sloppy = false }: TransformOptions,
  toCell: ToCell,
  earlier: readonly string[] = [],
): TransformedCell {
  const site = (at: readonly [number, number] | undefined): string | undefined => {
    const there = at && toCell(...at);
    return there && siteText(fileName, ...there);
  };
  if (!jsx) {
    try {
      const file = parse(source, fileName);
      const edits = new Edits(source);
      keepLastValue(file, edits);
      if (form === "global") refuseReturns(file, edits);
      const top = rewriteTopLevel(file, edits, { form });
      addMarks(file, edits, form === "global", (position) => {
        const { line, character } = file.getLineAndCharacterOfPosition(position);
        return site([line, character]);
      });
      closeLastValue(file, edits);
      stripTypes(file, edits);
      return finish(edits, { ...top, vars: [...top.vars, ...earlier] }, sloppy);
    } catch (error) {
      if (!(error instanceof NeedsDownlevel)) throw error;
    }
  }
  const name = jsx ? fileName.replace(/\.ts$/, ".tsx") : fileName;
  return downlevel(source, name, { options, form, sloppy }, site, earlier);
}

function siteText(fileName: string, line: number, column: number): string {
  return `${fileName}:${line + 1}:${column + 1}`;
}

function finish(edits: Edits, { hoisted, vars, anew, globals }: TopLevel, sloppy: boolean): TransformedCell {
  if (globals) return asFunction(edits, { hoisted, vars, anew, names: globals, sloppy });
  const lead = (sloppy ? "" : prologue) + (anew.length > 0 ? `let ${anew.join(",")};` : "");
  return { ...edits.build(hoisted, lead), vars };
}

function downlevel(
  source: string,
  fileName: string,
  { options, form, sloppy }: { options: ts.CompilerOptions; form: CellForm; sloppy: boolean },
  site: (at: readonly [number, number] | undefined) => string | undefined,
  earlier: readonly string[],
): TransformedCell {
  const printed = host().transpile(source, {
    fileName,
    compilerOptions: {
      ...options,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      verbatimModuleSyntax: true,
      sourceMap: true,
      removeComments: false,
    },
  });
  const javascript = printed.outputText.replace(/\/\/# sourceMappingURL=.*$/m, "");
  const toSource = decodeSourceMap((JSON.parse(printed.sourceMapText!) as { mappings: string }).mappings);
  const file = parse(javascript, fileName.replace(/\.tsx?$/, ".js"));
  const edits = new Edits(javascript);
  keepLastValue(file, edits);
  const written = parse(source, fileName);
  const own = varNames(written);
  if (form === "global") refuseReturns(file, edits);
  const top = rewriteTopLevel(file, edits, {
    form,
    printed: (name) => !own.has(name),
    aliases: namespaceAliases(written),
  });
  addMarks(file, edits, form === "global", (position) => {
    const { line, character } = file.getLineAndCharacterOfPosition(position);
    return site(originalPosition(toSource, line, character));
  });
  closeLastValue(file, edits);
  const { code, map, vars } = finish(edits, { ...top, vars: [...top.vars, ...earlier] }, sloppy);
  return { code, map: composed(map, toSource), vars };
}

/** A map to a text that has a map itself, as a map to what that one leads to. */
function composed(map: PositionMap, toSource: PositionMap): PositionMap {
  return map.map((segments) =>
    segments.flatMap(([column, line, printedColumn], i): [number, number, number][] => {
      // One copied stretch of printed text may cover many stretches of the cell.
      const end = segments[i + 1]?.[0] ?? Infinity;
      const direct = originalPosition(toSource, line, printedColumn);
      const first: [number, number, number][] = direct ? [[column, direct[0], direct[1]]] : [];
      const later = (toSource[line] ?? [])
        .filter(([at]) => at > printedColumn && column + at - printedColumn < end)
        .map(([at, l, c]): [number, number, number] => [column + at - printedColumn, l, c]);
      return [...first, ...later];
    }),
  );
}
