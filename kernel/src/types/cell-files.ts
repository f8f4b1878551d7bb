import ts from "typescript";
import { compilerOptions } from "./compiler-options.js";
import { installedSpecifier } from "./foreign-specifier.js";
import { host } from "./host.js";
import type { JsxOptions } from "./jsx.js";
import { fileVersion, isLibrary, libraryText } from "./registry.js";
import { resolveOnce } from "./resolutions.js";

interface Text {
  version: number;
  snapshot: ts.IScriptSnapshot;
  /** The last change of the file of that name when the text was set: once it has changed again, the file counts. */
  until?: string;
}

/** The files that the language service sees: cells as virtual files in the notebook's folder, all else from disk. */
export class CellFiles {
  private readonly texts = new Map<string, Text>();
  private version = 0;
  private readonly files = new Map<string, { version: string; snapshot: ts.IScriptSnapshot }>();
  /** Settings of the notebook's folder. */
  private readonly own: ts.CompilerOptions;
  private options: ts.CompilerOptions;
  private strict = false;
  /** Way in which JSX makes elements, unless the notebook's tsconfig.json says it. */
  jsx: JsxOptions = {};
  private readonly resolutions: ts.ModuleResolutionCache;
  /** An import could not be resolved; what is missing may have been written or installed by the next cell. */
  private unresolved = false;

  constructor(
    private readonly cwd: string,
    /** The root files of a program. As long as they stay the same, TypeScript reuses most of its last program. */
    private readonly roots: readonly string[],
    own: ts.CompilerOptions,
  ) {
    this.own = compilerOptions(cwd, own);
    this.options = this.own;
    this.resolutions = ts.createModuleResolutionCache(cwd, (name) => name, this.options);
  }

  /** Looks for what TypeScript's `strict` finds, or for what the folder asks for again. */
  setStrict(strict: boolean): void {
    this.strict = strict;
    this.options = this.chosen();
  }

  /** Makes elements of JSX in this way. */
  setJsx(options: JsxOptions): void {
    if (JSON.stringify(options) === JSON.stringify(this.jsx)) return;
    this.jsx = options;
    this.options = this.chosen();
  }

  private chosen(): ts.CompilerOptions {
    return { ...this.own, ...this.jsx, ...(this.strict && { strict: true }) };
  }

  /** Asks as if `null` and `undefined` were types of their own; undefined if that is settled, by the folder or the notebook. */
  withNullChecks<T>(ask: () => T): T | undefined {
    const { options } = this;
    if (options.strict === true || this.own.strictNullChecks !== undefined) return undefined;
    this.options = { ...options, strictNullChecks: true };
    try {
      return ask();
    } finally {
      this.options = options;
    }
  }

  setText(path: string, text: string, o: { until?: "change" } = {}): void {
    const known = this.text(path);
    if (this.unresolved) {
      this.unresolved = false;
      this.resolutions.clear();
    } else if (known && known.snapshot.getText(0, known.snapshot.getLength()) === text) return;
    this.texts.set(path, {
      version: ++this.version,
      snapshot: ts.ScriptSnapshot.fromString(text),
      ...(o.until && { until: fileVersion(path) }),
    });
  }

  versionOf(path: string): string {
    return this.text(path)?.version.toString() ?? fileVersion(path);
  }

  removeText(path: string): void {
    this.texts.delete(path);
    // Imports of it may have been resolved in the meantime.
    this.unresolved = true;
  }

  private text(path: string): Text | undefined {
    const text = this.texts.get(path);
    if (text?.until === undefined || text.until === fileVersion(path)) return text;
    this.texts.delete(path);
    return undefined;
  }

  /** The file that an import means, if there is one. */
  find(specifier: string, containing: string): string | undefined {
    return this.resolve(specifier, containing, this.options).resolvedModule?.resolvedFileName;
  }

  private resolve(
    written: string,
    containing: string,
    o: ts.CompilerOptions,
  ): ts.ResolvedModuleWithFailedLookupLocations {
    const specifier = installedSpecifier(written) ?? written;
    const { files, kernel } = host();
    const looking: ts.ModuleResolutionHost = {
      fileExists: (path) => this.exists(path),
      readFile: (path) => this.read(path),
      directoryExists: (path) => files.hasFolder(path),
      realpath: (path) => files.real(path),
      getDirectories: (path) => files.folders(path),
    };
    return resolveOnce(containing, specifier, () => {
      const resolved = ts.resolveModuleName(specifier, containing, o, looking, this.resolutions);
      if (resolved.resolvedModule || specifier.startsWith(".")) return resolved;
      // As at run time: what is not installed near the notebook may be installed near the kernel.
      const inKernel = files.path.join(kernel(), "types", "cell-files.js");
      return ts.resolveModuleName(specifier, inKernel, o, looking, this.resolutions);
    });
  }

  private exists(path: string): boolean {
    return this.text(path) !== undefined || host().files.exists(path);
  }

  host(): ts.LanguageServiceHost {
    const { resolutions: cache } = this;
    const { files } = host();
    const { join } = files.path;
    const cancellation = host().cancellation();
    const service: ts.LanguageServiceHost & { getModuleResolutionCache(): ts.ModuleResolutionCache } = {
      getCompilationSettings: () => this.options,
      getCancellationToken: () => cancellation,
      getScriptFileNames: () => [...this.roots],
      getScriptVersion: (path) => this.versionOf(path),
      getScriptSnapshot: (path) => this.text(path)?.snapshot ?? this.fileSnapshot(path),
      // Without it TypeScript looks for package.json files in all folders above every file, at every cell.
      getModuleResolutionCache: () => cache,
      getCurrentDirectory: () => this.cwd,
      useCaseSensitiveFileNames: () => host().caseSensitive,
      getDefaultLibFileName: (o) => join(host().standardLibraries(), ts.getDefaultLibFileName(o)),
      fileExists: (path) => this.exists(path),
      readFile: (path) => this.read(path),
      directoryExists: (path) => files.hasFolder(path),
      getDirectories: (path) => files.folders(path),
      readDirectory: (...args) => files.list(...args),
      realpath: (path) => files.real(path),
      resolveModuleNameLiterals: (literals, containing, _redirected, o) =>
        literals.map(({ text }) => {
          const found = this.resolve(text, containing, o);
          if (!found.resolvedModule && !isLibrary(containing)) this.unresolved = true;
          return found;
        }),
    };
    return service;
  }

  /** Files on disk are read once for each version: TypeScript asks for all of them at each cell. */
  private fileSnapshot(path: string): ts.IScriptSnapshot | undefined {
    const version = fileVersion(path);
    const library = libraryText(path, version);
    if (library) return library;
    const known = this.files.get(path);
    if (known?.version === version) return known.snapshot;
    const text = host().files.read(path);
    if (text === undefined) return undefined;
    const snapshot = ts.ScriptSnapshot.fromString(text);
    this.files.set(path, { version, snapshot });
    return snapshot;
  }

  private read(path: string): string | undefined {
    const known = this.text(path);
    return known ? known.snapshot.getText(0, known.snapshot.getLength()) : host().files.read(path);
  }
}
