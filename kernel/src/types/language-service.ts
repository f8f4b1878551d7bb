import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { printQuickInfo } from "tslab/dist/inspect.js";
import ts from "typescript";
import { globalDeclarations } from "./globals.js";
import { exportedNames, mentionedNames, topLevelNames, type NameKind } from "./names.js";
import { fileVersion, isLibrary, isStandardLibrary, libraryRegistry, libraryText } from "./registry.js";
import { resolveOnce } from "./resolutions.js";
import type { CellDiagnostic, Completions, QuickInfo, TypeEngine } from "./engine.js";

// `await` at top level is fine in a cell: "only in async functions", "only in modules", "only with module ...".
const ignoredCodes = new Set([1308, 1375, 1378, 1432]);
const strictFlags = [
  "strict",
  "strictNullChecks",
  "noImplicitAny",
  "noImplicitThis",
  "strictFunctionTypes",
  "strictBindCallApply",
  "strictPropertyInitialization",
  "noUncheckedIndexedAccess",
  "exactOptionalPropertyTypes",
  "useUnknownInCatchVariables",
  "experimentalDecorators",
] as const;

interface Text {
  version: number;
  snapshot: ts.IScriptSnapshot;
}

/**
 * TypeScript's own language service on cells.
 *
 * Each cell is a virtual module. Behind its text, where no position changes, stand declarations of the earlier
 * names it mentions: `declare let x: typeof import("./cell_3").x` for variables, so that assignments are
 * checked, and imports for functions, classes, types and imported names. A cell that was run is replaced by its
 * declarations, which keeps a notebook of hundreds of cells as fast as one of ten.
 */
export class LanguageServiceEngine implements TypeEngine {
  readonly name = "typescript";
  private readonly texts = new Map<string, Text>();
  private readonly files = new Map<string, { version: string; snapshot: ts.IScriptSnapshot }>();
  private readonly service: ts.LanguageService;
  private readonly names = new Map<string, { module: string; kind: NameKind }>();
  private readonly cellFile: string;
  private readonly globalsFile: string;
  private readonly moduleFiles: string[] = [];
  private committed = 0;
  /** An import led nowhere: what is missing may have been written or installed when the next cell comes. */
  private unresolved = false;
  private resolutions: ts.ModuleResolutionCache | undefined;

  constructor(private readonly cwd: string) {
    this.cellFile = join(cwd, "__turnwise_cell__.ts");
    this.globalsFile = join(cwd, "__turnwise_globals__.d.ts");
    this.setText(this.globalsFile, globalDeclarations());
    this.setText(this.cellFile, "export {};");
    this.service = ts.createLanguageService(this.host(), libraryRegistry());
  }

  check(source: string): CellDiagnostic[] {
    this.setText(this.cellFile, this.moduleText(source, mentionedNames(source)));
    return this.diagnostics(this.cellFile, source.length);
  }

  commit(source: string): void {
    const names = topLevelNames(ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ESNext));
    if (names.size === 0) return;
    const text = this.moduleText(source, mentionedNames(source));
    this.setText(this.cellFile, text);
    const module = `__turnwise_cell_${++this.committed}__`;
    // The declarations come from the program that has just checked the cell: no other is built for them.
    this.setText(join(this.cwd, `${module}.ts`), this.declarations() ?? text);
    for (const [name, kind] of names) this.names.set(name, { module, kind });
  }

  complete(source: string, offset: number): Completions {
    this.setText(this.cellFile, this.moduleText(source, new Set(this.names.keys())));
    const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.exec(source.slice(0, offset))?.[0] ?? "";
    const start = offset - identifier.length;
    const found = this.service.getCompletionsAtPosition(this.cellFile, offset, {
      includeCompletionsForModuleExports: false,
      includeCompletionsWithInsertText: false,
    });
    if (!found) return { start, end: offset, items: [] };
    const entries = found.entries.filter(
      (entry) =>
        entry.name.startsWith(identifier) &&
        !entry.name.startsWith("__turnwise") &&
        // A list of all keywords helps nobody who has not typed a letter yet.
        (identifier !== "" || found.isMemberCompletion || entry.kind !== ts.ScriptElementKind.keyword),
    );
    entries.sort((a, b) => compare(a.sortText, b.sortText) || compare(a.name, b.name));
    const span = found.optionalReplacementSpan;
    return {
      start: identifier === "" && span ? span.start : start,
      end: offset,
      items: entries.map((entry) => ({ text: entry.name, kind: entry.kind })),
    };
  }

  inspect(source: string, offset: number): QuickInfo | undefined {
    this.setText(this.cellFile, this.moduleText(source, mentionedNames(source)));
    // The cursor often stands behind the name, or behind the parenthesis of a call.
    const before = source.slice(0, offset).replace(/[\s(]+$/, "").length;
    for (const at of [offset, Math.max(0, offset - 1), Math.max(0, before - 1)]) {
      const info = this.service.getQuickInfoAtPosition(this.cellFile, at);
      if (!info) continue;
      if (!info.documentation?.length) Object.assign(info, this.lateDocumentation(at));
      const tags = (info.tags ?? [])
        // TypeScript takes the first word of a source for a name and puts a blank behind it.
        .map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text).replace(/^(\S+) ,/, "$1,")}`.trim())
        .join("\n\n");
      return {
        signature: ts.displayPartsToString(info.displayParts),
        text: printQuickInfo(info as never),
        documentation: [ts.displayPartsToString(info.documentation), tags]
          .filter((part) => part !== "")
          .join("\n\n"),
      };
    }
    return undefined;
  }

  addModule(name: string, source: string): CellDiagnostic[] {
    const path = join(this.cwd, `${name}.ts`);
    this.setText(path, source);
    if (!this.moduleFiles.includes(path)) this.moduleFiles.push(path);
    return this.diagnostics(path, source.length);
  }

  close(): void {
    this.service.dispose();
  }

  private diagnostics(path: string, length: number): CellDiagnostic[] {
    const convert =
      (syntax: boolean) =>
      (diagnostic: ts.Diagnostic): CellDiagnostic => ({
        start: Math.min(diagnostic.start ?? 0, length),
        length: diagnostic.length ?? 1,
        code: diagnostic.code,
        message: ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"),
        syntax,
      });
    const relevant = (diagnostic: ts.Diagnostic): boolean =>
      (diagnostic.start ?? 0) <= length &&
      !ignoredCodes.has(diagnostic.code) &&
      diagnostic.category === ts.DiagnosticCategory.Error;
    const syntactic = this.service.getSyntacticDiagnostics(path).filter(relevant);
    if (syntactic.length > 0) return syntactic.map(convert(true));
    return this.service.getSemanticDiagnostics(path).filter(relevant).map(convert(false));
  }

  /** The cell and, behind it, its exports and the earlier names it uses. */
  private moduleText(source: string, wanted: ReadonlySet<string>): string {
    const file = ts.createSourceFile("cell.ts", source, ts.ScriptTarget.ESNext);
    const own = topLevelNames(file);
    const already = exportedNames(file);
    const exported = [...own.keys()].filter((name) => !already.has(name));
    const lines = [`export { ${exported.join(", ")} };`];
    const imports = new Map<string, string[]>();
    for (const name of wanted) {
      const earlier = this.names.get(name);
      if (!earlier || own.has(name)) continue;
      const module = JSON.stringify(`./${earlier.module}`);
      if (earlier.kind === "declaration") imports.set(module, [...(imports.get(module) ?? []), name]);
      else {
        const keyword = earlier.kind === "constant" ? "const" : "let";
        lines.push(`declare ${keyword} ${name}: typeof import(${module}).${name};`);
      }
    }
    for (const [module, names] of imports) lines.push(`import { ${names.join(", ")} } from ${module};`);
    // A comment at the end of the cell must not swallow the first line.
    return `${source}\n;${lines.join("\n")}`;
  }

  /** The documentation of a name in the standard libraries, which were read without their comments. */
  private lateDocumentation(offset: number): { documentation?: ts.SymbolDisplayPart[] } {
    for (const definition of this.service.getDefinitionAtPosition(this.cellFile, offset) ?? []) {
      if (!isStandardLibrary(definition.fileName)) continue;
      const text = ts.sys.readFile(definition.fileName) ?? "";
      const file = ts.createSourceFile(definition.fileName, text, ts.ScriptTarget.ESNext, true);
      const find = (node: ts.Node): string | undefined => {
        if (definition.textSpan.start < node.pos || definition.textSpan.start >= node.end) return undefined;
        const inner = ts.forEachChild(node, find);
        if (inner !== undefined) return inner;
        const comments = ts
          .getJSDocCommentsAndTags(node)
          .map((one) => ts.getTextOfJSDocComment(one.comment) ?? "");
        return comments.find((comment) => comment !== "");
      };
      const comment = find(file);
      if (comment !== undefined) return { documentation: [{ text: comment, kind: "text" }] };
    }
    return {};
  }

  private declarations(): string | undefined {
    const program = this.service.getProgram();
    const file = program?.getSourceFile(this.cellFile);
    if (!program || !file || program.getDeclarationDiagnostics(file).length > 0) return undefined;
    const output = this.service.getEmitOutput(this.cellFile, true, true);
    return output.emitSkipped ? undefined : output.outputFiles[0]?.text;
  }

  private setText(path: string, text: string): void {
    const known = this.texts.get(path);
    if (this.unresolved) {
      this.unresolved = false;
      this.resolutions?.clear();
    } else if (known && known.snapshot.getText(0, known.snapshot.getLength()) === text) return;
    this.texts.set(path, {
      version: (known?.version ?? 0) + 1,
      snapshot: ts.ScriptSnapshot.fromString(text),
    });
  }

  private host(): ts.LanguageServiceHost {
    const options = compilerOptions(this.cwd);
    const { sys } = ts;
    const cache = (this.resolutions = ts.createModuleResolutionCache(this.cwd, (name) => name, options));
    const exists = (path: string): boolean => this.texts.has(path) || sys.fileExists(path);
    const resolutionHost: ts.ModuleResolutionHost = {
      fileExists: exists,
      readFile: (path) => this.read(path),
      directoryExists: (path) => sys.directoryExists(path),
      realpath: sys.realpath,
      getDirectories: (path) => sys.getDirectories(path),
    };
    const host: ts.LanguageServiceHost & { getModuleResolutionCache(): ts.ModuleResolutionCache } = {
      getCompilationSettings: () => options,
      // Earlier cells come in by import: with the same roots every time, TypeScript reuses most of its last program.
      getScriptFileNames: () => [this.globalsFile, this.cellFile, ...this.moduleFiles],
      getScriptVersion: (path) => this.texts.get(path)?.version.toString() ?? fileVersion(path),
      getScriptSnapshot: (path) => this.texts.get(path)?.snapshot ?? this.fileSnapshot(path),
      // Without it TypeScript looks for package.json files in all folders above each file, for each cell.
      getModuleResolutionCache: () => cache,
      getCurrentDirectory: () => this.cwd,
      getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
      fileExists: exists,
      readFile: (path) => this.read(path),
      directoryExists: (path) => sys.directoryExists(path),
      getDirectories: (path) => sys.getDirectories(path),
      readDirectory: (...args) => sys.readDirectory(...args),
      realpath: sys.realpath,
      resolveModuleNameLiterals: (literals, containing, _redirected, o) =>
        literals.map(({ text }) => {
          const found = resolveOnce(containing, text, () => {
            const resolved = ts.resolveModuleName(text, containing, o, resolutionHost, cache);
            if (resolved.resolvedModule || text.startsWith(".")) return resolved;
            // As at run time: what is not installed near the notebook may be installed near the kernel.
            return ts.resolveModuleName(text, __filename, o, resolutionHost, cache);
          });
          if (!found.resolvedModule && !isLibrary(containing)) this.unresolved = true;
          return found;
        }),
    };
    return host;
  }

  /** Files on disk are read once for each version: TypeScript asks for all of them at each cell. */
  private fileSnapshot(path: string): ts.IScriptSnapshot | undefined {
    const version = fileVersion(path);
    const library = libraryText(path, version);
    if (library) return library;
    const known = this.files.get(path);
    if (known?.version === version) return known.snapshot;
    const text = ts.sys.readFile(path);
    if (text === undefined) return undefined;
    const snapshot = ts.ScriptSnapshot.fromString(text);
    this.files.set(path, { version, snapshot });
    return snapshot;
  }

  private read(path: string): string | undefined {
    const known = this.texts.get(path);
    return known ? known.snapshot.getText(0, known.snapshot.getLength()) : ts.sys.readFile(path);
  }
}

function compilerOptions(cwd: string): ts.CompilerOptions {
  return {
    strict: false,
    ...ownOptions(cwd),
    target: ts.ScriptTarget.ESNext,
    lib: ["lib.esnext.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    esModuleInterop: true,
    allowJs: true,
    skipLibCheck: true,
    noEmitOnError: false,
    allowUnreachableCode: true,
    allowUnusedLabels: true,
    types: ["node"],
    typeRoots: typeRoots(cwd),
  };
}

/** The strictness that a tsconfig.json in the notebook's folder or above asks for; without one, none is forced. */
function ownOptions(cwd: string): ts.CompilerOptions {
  const path = ts.findConfigFile(cwd, (file) => existsSync(file));
  if (path === undefined) return {};
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config?: unknown };
  if (config === undefined) return {};
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path));
  const own: ts.CompilerOptions = {};
  for (const flag of strictFlags) if (options[flag] !== undefined) own[flag] = options[flag];
  return own;
}

/** Where `@types/node` may be: beside the notebook, or wherever npm has put the kernel's dependencies. */
function typeRoots(cwd: string): string[] {
  const roots: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    roots.push(join(folder, "node_modules", "@types"));
    if (dirname(folder) === folder) break;
  }
  roots.push(dirname(dirname(require.resolve("@types/node/package.json"))));
  return roots;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
