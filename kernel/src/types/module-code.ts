import ts from "typescript";
import { topLevelAwait } from "./names.js";
import { syntaxErrors } from "./syntax.js";
import { decodeSourceMap } from "./transform/sourcemap.js";
import { Edits, originalPosition, type PositionMap } from "./transform/edits.js";
import { addLoopMarks } from "./transform/marks.js";

/** A local file of a notebook in a page, ready to run: the body of a CommonJS module. */
export interface ModuleCode {
  readonly code: string;
  /** From positions in `code` to positions in the file. */
  readonly map: PositionMap;
  /** It awaits outside of functions: its body must be that of an asynchronous function. */
  readonly waits?: true;
}

/** Place where a text is no program; line and column count from 1. */
export interface BrokenAt {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const markName = "turnwiseMark";
const metaName = "turnwiseMeta";
/** Threads of a sweep run the same code, and may have no mark. */
const start = `"use strict";var ${markName}=(()=>{const marks=globalThis[Symbol.for("turnwise.marks")];return marks?()=>marks.run():()=>{}})();`;
/** Definition of `import.meta` in a file, as Node gives it. */
const meta = `var ${metaName}={url:"file://"+__filename.split("/").map(encodeURIComponent).join("/"),filename:__filename,dirname:__dirname};`;

/**
 * Compiles a local file for a page, where nothing can end a loop from outside: each loop asks at its head whether to stop. A file
 * in which something is wrong gives the place of that.
 */
export function moduleCode(
  text: string,
  path: string,
  transpile: typeof ts.transpileModule,
): ModuleCode | BrokenAt {
  const [broken] = syntaxErrors(text, path);
  if (broken) {
    const before = text.slice(0, broken.start).split("\n");
    return { line: before.length, column: before.at(-1)!.length + 1, message: broken.message };
  }
  const edits = new Edits(text);
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  addLoopMarks(file, edits, `${markName}();`);
  const prologue = replaceMeta(file, edits) ? start + meta : start;
  const marked = edits.build();
  const { outputText, sourceMapText } = transpile(marked.code, {
    // By the name of an ES module TypeScript would leave its imports as they are.
    fileName: path.replace(/\.[cm]([jt]s)$/, ".$1"),
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
      allowJs: true,
      jsx: ts.JsxEmit.React,
      sourceMap: true,
    },
  });
  const { mappings } = JSON.parse(sourceMapText ?? '{"mappings":""}') as { mappings: string };
  const map = decodeSourceMap(mappings).map((segments) =>
    segments.flatMap(([column, line, at]): [number, number, number][] => {
      const place = originalPosition(marked.map, line, at);
      return place ? [[column, ...place]] : [];
    }),
  );
  const body = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, "");
  const waits = topLevelAwait(file) !== undefined;
  return { code: prologue + body, map: shifted(map, prologue.length), ...(waits && { waits }) };
}

/** A function has no `import.meta`. Says whether the file uses it. */
function replaceMeta(file: ts.SourceFile, edits: Edits): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      edits.replace(node.getStart(file), node.end, metaName);
      found = true;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Shifts the positions on the first line by the length of the text put before it. */
function shifted(map: PositionMap, by: number): PositionMap {
  const [first = [], ...rest] = map;
  return [first.map(([column, ...place]): [number, number, number] => [column + by, ...place]), ...rest];
}
