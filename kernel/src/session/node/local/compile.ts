import { createRequire } from "node:module";
import type { CompilerOptions } from "typescript";
import type tsTypes from "typescript";
import type { Place } from "../../placed.js";
import { firstSyntaxError } from "../syntax-errors.js";

const load = createRequire(__filename);

/** A name that a file passes on or takes from another module, where it is a type. */
export interface Dropped {
  readonly specifier: string;
  readonly name: string;
}

/** A TypeScript file as JavaScript. */
export interface Compiled {
  readonly format: "module" | "commonjs";
  readonly code: string;
  readonly mappings: string;
  /** Names of CommonJS, and `Deno`, that the file uses as if it had them. */
  readonly lacks: readonly string[];
}

const optionsOf = new Map<string, CompilerOptions>();
const commonJsNames = ["require", "__filename", "__dirname"];

/** Compiles a file as the tsconfig.json of the notebook's folder asks for. TypeScript is loaded with the first one. */
export function compiled(
  text: string,
  path: string,
  folder: string,
  dropped: readonly Dropped[],
): Compiled | { readonly broken: Place } {
  const ts = load("typescript") as typeof tsTypes;
  const broken = firstSyntaxError(text, path);
  if (broken) return { broken };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const format = isCommonJs(ts, file) ? "commonjs" : "module";
  const { outputText, sourceMapText } = ts.transpileModule(without(ts, file, dropped), {
    // By the names .mts and .cts TypeScript would choose the form itself.
    fileName: path.replace(/\.[cm]ts$/, ".ts"),
    compilerOptions: {
      ...emitOptionsOf(folder),
      target: ts.ScriptTarget.ES2022,
      module: format === "commonjs" ? ts.ModuleKind.CommonJS : ts.ModuleKind.Preserve,
      moduleDetection: ts.ModuleDetectionKind.Force,
      esModuleInterop: true,
      allowJs: true,
      sourceMap: true,
    },
  });
  const { mappings } = JSON.parse(sourceMapText!) as { mappings: string };
  const code = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, "");
  return { format, code, mappings, lacks: format === "module" ? lacking(file, text) : [] };
}

function emitOptionsOf(folder: string): CompilerOptions {
  const known = optionsOf.get(folder);
  if (known) return known;
  const { useNode } = load("../../../types/node-host.js") as typeof import("../../../types/node-host.js");
  useNode();
  const { ownOptions } = load(
    "../../../types/own-options.js",
  ) as typeof import("../../../types/own-options.js");
  const { emitOptions } = load(
    "../../../types/compiler-options.js",
  ) as typeof import("../../../types/compiler-options.js");
  const options = emitOptions(ownOptions(folder));
  optionsOf.set(folder, options);
  return options;
}

/** Whether a file can only be a CommonJS module: by its name, or as it says `export =`. */
function isCommonJs(ts: typeof tsTypes, file: tsTypes.SourceFile): boolean {
  if (/\.cts$/.test(file.fileName)) return true;
  return file.statements.some((one) => ts.isExportAssignment(one) && one.isExportEquals === true);
}

/**
 * Names that a file mentions and does not declare: many files were written for CommonJS, or for Deno. A file that asks whether
 * there is a `Deno` runs elsewhere, too, and is told that it runs on Node.
 */
function lacking(file: tsTypes.SourceFile, text: string): string[] {
  const isForDeno = /\bDeno\./.test(text) && !/\btypeof\s+Deno\b/.test(text);
  const mentioned = commonJsNames.filter((name) => text.includes(name)).concat(isForDeno ? ["Deno"] : []);
  if (mentioned.length === 0) return [];
  const { topLevelNames } = load("../../../types/names.js") as typeof import("../../../types/names.js");
  const declared = topLevelNames(file);
  return mentioned.filter((name) => !declared.has(name));
}

/** The text with spaces in place of names that are types, in imports and in what is passed on. */
function without(ts: typeof tsTypes, file: tsTypes.SourceFile, dropped: readonly Dropped[]): string {
  let { text } = file;
  if (dropped.length === 0) return text;
  const blank = (element: tsTypes.Node): void => {
    const comma = /^\s*,/.exec(text.slice(element.end))?.[0].length ?? 0;
    const start = element.getStart(file);
    const end = element.end + comma;
    text = text.slice(0, start) + text.slice(start, end).replace(/[^\r\n]/g, " ") + text.slice(end);
  };
  const locals = new Set<string>();
  const isDropped = (specifier: tsTypes.Expression, name: string): boolean =>
    ts.isStringLiteral(specifier) &&
    dropped.some((one) => one.specifier === specifier.text && one.name === name);
  for (const one of file.statements) {
    if (!ts.isImportDeclaration(one)) continue;
    const bindings = one.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const element of bindings.elements)
      if (isDropped(one.moduleSpecifier, (element.propertyName ?? element.name).text)) {
        locals.add(element.name.text);
        blank(element);
      }
  }
  for (const one of file.statements) {
    if (!ts.isExportDeclaration(one) || !one.exportClause || !ts.isNamedExports(one.exportClause)) continue;
    for (const element of one.exportClause.elements) {
      const name = (element.propertyName ?? element.name).text;
      if (one.moduleSpecifier ? isDropped(one.moduleSpecifier, name) : locals.has(name)) blank(element);
    }
  }
  return text;
}
