import ts from "typescript";
import type { CellFiles } from "./cell-files.js";
import type { CellDiagnostic } from "./engine.js";
import { isOfRuntime } from "./hints.js";
import { host } from "./host.js";

// `import a = require("a")` and `export =`, which Node cannot run in an ES module, but the session can.
const ofCommonJs = [1202, 1203];
// An unused `@ts-expect-error`, which may well be used under the settings that the file was written for.
const unused = 2578;
const ignored = new Set([...ofCommonJs, unused]);
const checked = /(?<!\.d)\.([cm]?ts|tsx)$/;
const script = /\.([cm]?[jt]s|[jt]sx)$/;
/** The quotes of a specifier, which its end does not count. */
const quotes = 2;
/** Enough for any notebook's own code; a link to a large project must not hold up every cell. */
const mostFiles = 500;

/** Checks the local files that a cell imports, and all that these import; each again only after one of them has changed. */
export class LocalChecks {
  /** Files whose imports are known, by path, with the version that was read. */
  private readonly imports = new Map<string, { version: string; files: readonly string[] }>();
  /** The versions of all files behind one in which nothing was found. */
  private readonly clean = new Map<string, string>();

  constructor(
    private readonly cwd: string,
    private readonly service: ts.LanguageService,
    private readonly files: Pick<CellFiles, "find" | "versionOf" | "withNullChecks">,
    private readonly message: (diagnostic: ts.Diagnostic) => string,
  ) {}

  /** The settings have changed: what was clean may no longer be. */
  forget(): void {
    this.clean.clear();
  }

  /** Type errors of the local files behind a cell, at the imports that lead to them. */
  check(source: string, cellFile: string): CellDiagnostic[] {
    if (!/\b(import|require|from)\b/.test(source)) return [];
    const cell = this.service.getProgram()?.getSourceFile(cellFile);
    const { checkJsDirective } = (cell ?? {}) as { checkJsDirective?: { enabled: boolean } };
    // A cell that begins with `@ts-nocheck` takes what it imports as it is.
    if (checkJsDirective?.enabled === false) return [];
    const told = new Set<string>();
    return ts.preProcessFile(source, true, true).importedFiles.flatMap(({ fileName, pos, end }) => {
      const path = this.localFile(fileName, cellFile);
      if (path === undefined) return [];
      const found = this.behind(path).filter((one) => {
        const key = placeOf(one);
        return !told.has(key) && told.add(key);
      });
      return found.map((one) => ({ ...one, start: pos, length: end - pos + quotes }));
    });
  }

  private behind(entry: string): CellDiagnostic[] {
    const all = this.closure(entry);
    const key = all.map((path) => `${path} ${this.files.versionOf(path)}`).join("\n");
    if (this.clean.get(entry) === key) return [];
    // The session reports them better, and what TypeScript finds in the rest would often follow from them.
    if (all.some((path) => script.test(path) && this.service.getSyntacticDiagnostics(path).length > 0))
      return [];
    const looked = all.filter((path) => checked.test(path) && this.isOfNotebook(path));
    const look = (): CellDiagnostic[] => looked.flatMap((path) => this.findings(path));
    let found = look();
    if (found.length > 0) {
      // Most code is written for strict settings, without which some of it is wrong: what it does with a union, for one.
      const strictly = this.files.withNullChecks(look);
      const places = strictly && new Set(strictly.map(placeOf));
      found = places ? found.filter((one) => places.has(placeOf(one))) : found;
    }
    if (found.length === 0) this.clean.set(entry, key);
    return found;
  }

  /** Whether the settings of the notebook's folder are also those of a file: another project has its own. */
  private isOfNotebook(path: string): boolean {
    const { files } = host();
    const settingsOf = (folder: string): string | undefined =>
      ts.findConfigFile(folder, (file) => files.exists(file));
    return settingsOf(files.path.dirname(path)) === settingsOf(this.cwd);
  }

  private findings(path: string): CellDiagnostic[] {
    const file = this.service.getProgram()?.getSourceFile(path);
    if (!file) return [];
    const name = this.nameOf(path);
    return this.service
      .getSemanticDiagnostics(path)
      .filter(({ category, code }) => category === ts.DiagnosticCategory.Error && !ignored.has(code))
      .filter((one) => !isOfRuntime(one))
      .map((one) => ({
        start: 0,
        length: 1,
        code: one.code,
        message: this.message(one),
        syntax: false,
        within: { name, source: file.text, start: one.start ?? 0, length: one.length ?? 1 },
      }));
  }

  /** A file, and all local ones that it leads to. */
  private closure(entry: string): string[] {
    const all = [entry];
    for (let i = 0; i < all.length && all.length < mostFiles; i++)
      for (const file of this.importsOf(all[i]!)) if (!all.includes(file)) all.push(file);
    return all;
  }

  private importsOf(path: string): readonly string[] {
    if (!script.test(path)) return [];
    const version = this.files.versionOf(path);
    const known = this.imports.get(path);
    // A file that was missing may be there by now.
    if (known?.version === version && known.files.every((file) => host().files.exists(file)))
      return known.files;
    const text = this.service.getProgram()?.getSourceFile(path)?.text ?? "";
    const files = ts
      .preProcessFile(text, true, true)
      .importedFiles.flatMap(({ fileName }) => this.localFile(fileName, path) ?? []);
    this.imports.set(path, { version, files });
    return files;
  }

  /** The file of the user's own that a specifier means. */
  private localFile(specifier: string, containing: string): string | undefined {
    const path = this.files.find(specifier, containing);
    if (path === undefined || /[\\/]node_modules[\\/]/.test(path) || /\.d\.[cm]?ts$/.test(path))
      return undefined;
    // Only what is named by its place, and what tsconfig.json or "#name" give a place.
    const isPackage = /^(?![.#/\\])/.test(specifier) && !this.isInside(path);
    return isPackage || path.includes("__turnwise_") ? undefined : path;
  }

  private isInside(path: string): boolean {
    return !host().files.path.relative(this.cwd, path).startsWith("..");
  }

  private nameOf(path: string): string {
    return host().files.path.relative(this.cwd, path).replaceAll("\\", "/");
  }
}

function placeOf({ within }: CellDiagnostic): string {
  return `${within!.name}:${within!.start}`;
}
