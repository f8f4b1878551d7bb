// One file because all questions to TypeScript's service share its files, its roots and the names of earlier cells.
import ts from "typescript";
import { Augmentations, augments } from "./augmentations.js";
import { AutoImports } from "./auto-import.js";
import { CellFiles } from "./cell-files.js";
import { withoutCellFiles } from "./declared-again.js";
import { EarlierNames } from "./earlier-names.js";
import type { CellDiagnostic, Completions, QuickInfo, TypeEngine } from "./engine.js";
import { exporterOf, importAll, missedImport, withHint } from "./export-hint.js";
import { globalDeclarations } from "./globals.js";
import { jsxNames, needsJsx, type JsxOptions } from "./jsx.js";
import { knownEntryPoints, knownPackages } from "./known-entry-points.js";
import { ownOptions } from "./own-options.js";
import { withNodeLimit } from "./node-limits.js";
import { inspectAt } from "./inspect.js";
import { withHelpNames } from "./help-names.js";
import { nameAt, openAt, openQuotes } from "./at-cursor.js";
import { host } from "./host.js";
import { hintFor, hintNeeds, isOfRuntime, importsOf, withShortTypes } from "./hints.js";
import { LocalChecks } from "./local-checks.js";
import { isName, isValue, mentionedNames, topLevelNames } from "./names.js";
import { promiseConditions } from "./promise-conditions.js";
import { libraryRegistry } from "./registry.js";

// `await` at top level is fine in a cell: "only in async functions", "only in modules", "only with module ...".
const ignoredCodes = new Set([1308, 1375, 1378, 1432]);
// "Cannot find name", also with a proposal, and as a shorthand property.
const unknownName = new Set([2304, 2552, 18004]);
const outside = "It is a name of the notebook; a module sees only what it declares or imports.";

/**
 * Checks cells with TypeScript's own language service.
 *
 * Each cell is a virtual module that imports what it mentions of earlier ones. A cell that was run is replaced by its
 * declarations, which keeps a notebook of hundreds of cells as fast as one of ten.
 */
export class LanguageServiceEngine implements TypeEngine {
  readonly name = "typescript";
  private readonly files: CellFiles;
  private readonly service: ts.LanguageService;
  private readonly localChecks: LocalChecks;
  private readonly names = new EarlierNames();
  private cellFile: string;
  /** The file of a cell, and of one that holds JSX. */
  private readonly cellFiles: readonly [plain: string, jsx: string];
  private readonly hintFile: string;
  /** The text of that file while it is a part of the program. */
  private imports: string | undefined;
  /** It stays one until all messages of a cell are made. */
  private keepsImports = false;
  /** The globals, the current cell, and modules of cells; earlier cells come in by import. */
  private readonly roots: string[];
  private committed = 0;
  private readonly augmentations = new Augmentations();
  private readonly autoImports: AutoImports;
  /** Modules whose exports are names of the notebook, with the version of the file. */
  private readonly imported = new Map<string, string>();

  constructor(
    private readonly cwd: string,
    private readonly own: ts.CompilerOptions = ownOptions(cwd),
  ) {
    const { join } = host().files.path;
    this.cellFiles = [join(cwd, "__turnwise_cell__.ts"), join(cwd, "__turnwise_cell_jsx__.tsx")];
    this.cellFile = this.cellFiles[0];
    this.hintFile = join(cwd, "__turnwise_hint__.ts");
    const globalsFile = join(cwd, "__turnwise_globals__.d.ts");
    this.roots = [globalsFile, this.cellFile];
    this.files = new CellFiles(cwd, this.roots, own);
    this.autoImports = new AutoImports(cwd, (specifier, from) => this.files.find(specifier, from));
    this.files.setText(globalsFile, globalDeclarations());
    this.files.setText(this.cellFile, "export {};");
    this.service = ts.createLanguageService(this.files.host(), libraryRegistry());
    this.localChecks = new LocalChecks(cwd, this.service, this.files, (found) => this.message(found));
  }

  setStrict(strict: boolean): void {
    this.files.setStrict(strict);
    this.localChecks.forget();
  }

  readonly setJsx = (options: JsxOptions): void => this.files.setJsx(options);

  check(source: string): CellDiagnostic[] {
    this.setCell(source);
    const found = this.diagnostics(this.cellFile, source.length);
    return found.some(({ syntax }) => syntax)
      ? found
      : [...found, ...this.localChecks.check(source, this.cellFile)];
  }

  commit(source: string): void {
    const text = this.setCell(source);
    const file = ts.createSourceFile(this.cellFile, source, ts.ScriptTarget.ESNext, true);
    const names = topLevelNames(file);
    if (names.size === 0 && !augments(file)) return;
    const module = `__turnwise_cell_${++this.committed}__`;
    // The declarations come from the program that has just checked the cell: no other is built for them.
    const path = this.fileOf(module);
    const declarations = this.declarations() ?? (this.cellFile.endsWith("x") ? "export {};" : text);
    this.files.setText(path, declarations);
    if (this.augmentations.keep(file, path, declarations)) this.roots.push(path);
    this.names.add(module, names);
  }

  /** Puts a cell into its file, and gives the text of that. */
  private setCell(source: string): string {
    const jsx = needsJsx(source);
    this.useFile(this.cellFiles[jsx ? 1 : 0]);
    const mentioned = mentionedNames(source);
    if (jsx) for (const name of jsxNames({ ...this.own, ...this.files.jsx })) mentioned.add(name);
    const text = this.names.moduleText(source, mentioned, this.cellFile);
    this.files.setText(this.cellFile, text);
    this.augmentations.makeRoom(this.cellFile, source, (path, rest) => this.files.setText(path, rest));
    return text;
  }

  private useFile(path: string): void {
    this.roots[this.roots.indexOf(this.cellFile)] = path;
    this.cellFile = path;
  }

  complete(source: string, offset: number, alone = false): Completions {
    this.useFile(this.cellFiles[0]);
    const text = alone ? source : this.names.moduleText(source, this.names.all());
    this.files.setText(
      this.cellFile,
      withHelpNames(text, source.slice(0, offset), () => knownPackages(this.cwd)),
    );
    const identifier = /[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.exec(source.slice(0, offset))?.[0] ?? "";
    const start = offset - identifier.length;
    const found = this.service.getCompletionsAtPosition(this.cellFile, offset, {
      includeCompletionsForModuleExports: false,
      includeCompletionsWithInsertText: false,
    });
    const untold = openAt(this.service.getProgram(), this.cellFile, offset);
    const open = untold === undefined ? {} : { open: untold };
    if (!found) return { start, end: offset, items: [], ...open };
    // In quotes a name may hold what no identifier does, such as "table-v0" and "table/rows".
    const quoted = openQuotes(source, offset);
    const span = quoted ?? found.optionalReplacementSpan;
    const slash = quoted && found.entries.some(isFile) ? source.lastIndexOf("/", offset - 1) : -1;
    // Of a path only the last name is completed.
    if (quoted && slash >= quoted.start)
      Object.assign(quoted, { start: slash + 1, length: offset - slash - 1 });
    const typed = quoted ? source.slice(quoted.start, offset) : identifier;
    const entries = found.entries.filter(
      (entry) =>
        entry.name.startsWith(typed) &&
        // Where a type is inferred from what is typed, that itself would be an entry.
        !(quoted && entry.name === typed) &&
        !entry.name.startsWith("__turnwise") &&
        // A list of all keywords is no help before the first letter is typed.
        (identifier !== "" || found.isMemberCompletion || entry.kind !== ts.ScriptElementKind.keyword),
    );
    const none = entries.length === 0 && !quoted && !found.isMemberCompletion && !alone && !untold;
    entries.sort((a, b) => compare(a.sortText, b.sortText) || compare(a.name, b.name));
    return {
      start: (identifier === "" || quoted) && span ? span.start : start,
      end: offset,
      items: entries.map((entry) => ({ text: entry.name, kind: entry.kind })),
      ...open,
      ...(none && { imports: this.autoImports.starting(identifier) }),
    };
  }

  inspect(source: string, offset: number, alone = false): QuickInfo | undefined {
    this.useFile(this.cellFiles[0]);
    this.files.setText(this.cellFile, alone ? source : this.names.moduleText(source, mentionedNames(source)));
    // The cursor is often just behind the name, or behind the opening parenthesis of a call.
    const before = source.slice(0, offset).replace(/[\s(]+$/, "").length;
    for (const at of new Set([offset, Math.max(0, offset - 1), Math.max(0, before - 1)])) {
      const info = inspectAt(this.service, this.cellFile, at);
      // Behind the cell, a variable of an earlier one stands without its comment, and a type would be no value.
      if (!info || info.documentation === "") {
        const found = alone ? undefined : this.inspectEarlier(nameAt(source, at));
        if (found) return found;
      }
      if (info) return info;
    }
    return undefined;
  }

  /** A name of an earlier cell, as that has declared it. */
  private inspectEarlier(name: string): QuickInfo | undefined {
    const module = this.names.moduleOf(name);
    if (module === undefined) return undefined;
    const [lead, from] = ["import { ", JSON.stringify(`./${module}`)];
    const text = `${lead}${name} } from ${from};`;
    return this.withImports(text, () => inspectAt(this.service, this.hintFile, lead.length));
  }

  addModule(name: string, source: string): CellDiagnostic[] {
    const path = this.fileOf(name);
    this.files.setText(path, source, { until: "change" });
    if (!this.roots.includes(path)) this.roots.push(path);
    return this.diagnostics(path, source.length).map((found) => {
      if (!unknownName.has(found.code)) return found;
      const name = source.slice(found.start, found.start + found.length);
      return this.names.all().has(name) ? { ...found, message: `${found.message} ${outside}` } : found;
    });
  }

  removeModule(name: string): void {
    const path = this.fileOf(name);
    this.files.removeText(path);
    if (!host().files.exists(path)) this.roots.splice(this.roots.indexOf(path), 1);
  }

  importModule(name: string): string[] {
    return this.adopt(name, () => true);
  }

  renewModules(): Map<string, string[]> {
    const changed = [...this.imported].filter(([name, version]) => this.versionOf(name) !== version);
    return new Map(
      changed.map(([name]) => {
        const free = (one: string): boolean => [undefined, name].includes(this.names.moduleOf(one));
        return [name, this.adopt(name, free)];
      }),
    );
  }

  /** Makes exports of a module names of the notebook. */
  private adopt(name: string, mayBe: (exported: string) => boolean): string[] {
    this.imported.set(name, this.versionOf(name));
    const program = this.service.getProgram();
    const file = program?.getSourceFile(this.fileOf(name));
    const checker = program?.getTypeChecker();
    const module = file && checker?.getSymbolAtLocation(file);
    const exported = module && checker ? checker.getExportsOfModule(module) : [];
    const names = exported.filter((symbol) => isName(symbol.name) && mayBe(symbol.name));
    this.names.remove(name);
    this.names.add(name, new Map(names.map((symbol) => [symbol.name, "declaration" as const])));
    return names.filter((symbol) => isValue(symbol, checker!)).map((symbol) => symbol.name);
  }

  private versionOf(name: string): string {
    return this.files.versionOf(this.fileOf(name));
  }

  private fileOf(module: string): string {
    return host().files.path.join(this.cwd, `${module}.ts`);
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
        message: this.message(diagnostic),
        syntax,
      });
    const relevant = (diagnostic: ts.Diagnostic): boolean =>
      (diagnostic.start ?? 0) <= length &&
      !ignoredCodes.has(diagnostic.code) &&
      !isOfRuntime(diagnostic) &&
      diagnostic.category === ts.DiagnosticCategory.Error;
    const syntactic = this.service.getSyntacticDiagnostics(path).filter(relevant);
    if (syntactic.length > 0) return syntactic.map(convert(true));
    const semantic = this.service.getSemanticDiagnostics(path);
    const program = this.service.getProgram()!;
    const found = [...semantic, ...promiseConditions(program, path, length)].filter(relevant);
    // All messages ask the same program: to build one for each would take seconds in a cell with many errors.
    this.keepsImports = true;
    try {
      return found.map(convert(false));
    } finally {
      this.keepsImports = false;
      this.endImports();
    }
  }

  /** The message of a diagnostic; for a missing export, with the entry point of the package that has it. */
  private message(diagnostic: ts.Diagnostic): string {
    const full = withoutCellFiles(
      withShortTypes(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n")),
    );
    const message = this.own.lib ? full : withNodeLimit(full);
    const known = knownPackages(this.cwd);
    const program = this.service.getProgram()!;
    const direct = hintFor(diagnostic, message, program, known);
    if (direct !== undefined) return `${message} ${direct}`;
    const missed = missedImport(diagnostic, program);
    if (missed) {
      return this.withImports(importAll(missed), (program) => {
        const entryPoint = exporterOf(missed, program, this.hintFile);
        return entryPoint === undefined ? message : withHint(message, missed.name, entryPoint);
      });
    }
    const needed = hintNeeds(diagnostic, known);
    const hint =
      needed && this.withImports(importsOf(knownEntryPoints(this.cwd)), (all) => needed(all, this.hintFile));
    return hint === undefined ? message : `${message} ${hint}`;
  }

  /** Asks a program that imports more than the cell does. */
  private withImports<T>(text: string, ask: (program: ts.Program) => T): T {
    if (this.imports === undefined) this.roots.push(this.hintFile);
    if (this.imports !== text) this.files.setText(this.hintFile, text);
    this.imports = text;
    try {
      return ask(this.service.getProgram()!);
    } finally {
      if (!this.keepsImports) this.endImports();
    }
  }

  private endImports(): void {
    if (this.imports !== undefined) this.roots.splice(this.roots.lastIndexOf(this.hintFile), 1);
    this.imports = undefined;
  }

  private declarations(): string | undefined {
    // It is skipped where a type cannot be written down.
    const output = this.service.getEmitOutput(this.cellFile, true, true);
    return output.emitSkipped ? undefined : output.outputFiles[0]?.text;
  }
}

const isFile = ({ kind }: ts.CompletionEntry): boolean =>
  kind === ts.ScriptElementKind.scriptElement || kind === ts.ScriptElementKind.directory;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
