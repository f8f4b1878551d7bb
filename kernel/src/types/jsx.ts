import ts from "typescript";
import { installedSpecifier } from "./foreign-specifier.js";
import { host } from "./host.js";
import { isInstalled } from "./is-installed.js";

/** The last answer: a cell is asked about as it is checked, and again as it is recorded. */
let last = { source: "", answer: false };

/** Whether a cell is a program only if it is read as JSX, which takes `<T>x` for the beginning of an element. */
export function needsJsx(source: string): boolean {
  if (!source.includes("<")) return false;
  if (last.source !== source)
    last = {
      source,
      answer: isBroken(source, ts.ScriptKind.TS) && !isBroken(source, ts.ScriptKind.TSX),
    };
  return last.answer;
}

function isBroken(source: string, kind: ts.ScriptKind): boolean {
  const file = ts.createSourceFile("cell", source, ts.ScriptTarget.ESNext, false, kind);
  return (file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length > 0;
}

/** The names that JSX uses without a mention: those of the functions that make elements and fragments. */
export function jsxNames({
  jsxFactory = "React",
  jsxFragmentFactory = "React",
}: ts.CompilerOptions): string[] {
  return [jsxFactory, jsxFragmentFactory].map((name) => name.split(".")[0]!);
}

/** The way in which JSX makes elements. */
export type JsxOptions = Pick<
  ts.CompilerOptions,
  "jsx" | "jsxFactory" | "jsxFragmentFactory" | "jsxImportSource"
>;

/** Libraries whose elements a cell without any setting may mean, the usual one first. */
const libraries = ["react", "preact"];

/** Settings of JSX in the comments of a cell, which name a library or a function; undefined if there are none. */
function jsxPragmas(source: string): JsxOptions | undefined {
  if (!source.includes("@jsx")) return undefined;
  const said = (name: string): string | undefined => RegExp(`@${name}\\s+([^\\s*]+)`).exec(source)?.[1];
  const from = said("jsxImportSource");
  if (from !== undefined)
    return { jsx: ts.JsxEmit.ReactJSX, jsxImportSource: installedSpecifier(from) ?? from };
  const factory = said("jsx");
  if (factory === undefined) return undefined;
  const fragment = said("jsxFrag");
  return {
    jsx: ts.JsxEmit.React,
    jsxFactory: factory,
    ...(fragment !== undefined && { jsxFragmentFactory: fragment }),
  };
}

/**
 * The way in which JSX makes elements where neither a tsconfig.json nor a comment says so: by the `React` or the `h` of the
 * notebook, else by the library that is installed; undefined if there is none.
 */
function jsxDefault(cwd: string, isKnown: (name: string) => boolean): JsxOptions | undefined {
  if (isKnown("React")) return { jsx: ts.JsxEmit.React };
  if (isKnown("h")) {
    return {
      jsx: ts.JsxEmit.React,
      jsxFactory: "h",
      ...(isKnown("Fragment") && { jsxFragmentFactory: "Fragment" }),
    };
  }
  const library = libraries.find((one) => isInstalled(one, cwd));
  return library === undefined ? undefined : { jsx: ts.JsxEmit.ReactJSX, jsxImportSource: library };
}

/** A cell with JSX for which nothing is installed. */
export const noJsx = (): RangeError =>
  new RangeError(
    "Cannot run the cell: it holds JSX, for which React must be installed: %install react. For another library, begin the cell with " +
      "/** @jsxImportSource preact */, or import its function: /** @jsx h */.",
  );

/** The way in which the cells of a notebook make the elements of their JSX. */
export class JsxChoice {
  /** Settings of the last comments on it: they hold for later cells, as in Deno. */
  private said: JsxOptions | undefined;

  /** Reads the comments of a cell. */
  hear(source: string): void {
    this.said = jsxPragmas(source) ?? this.said;
  }

  /** The way for a cell with JSX. */
  of(cwd: string, isKnown: (name: string) => boolean): JsxOptions | undefined {
    return this.said ?? jsxDefault(cwd, isKnown);
  }
}

/** Declarations that later cells may know of a cell with JSX: the names, with the types of their values. */
export function withoutJsx(source: string): string {
  const { outputText } = host().transpile(source, {
    fileName: "cell.tsx",
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.React,
    },
  });
  return outputText;
}
