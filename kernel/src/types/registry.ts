import ts from "typescript";
import { forgetRead, letDoze } from "./doze.js";
import { host } from "./host.js";
import { late, letSleep, plain } from "./sleep.js";

export interface Library {
  file: ts.SourceFile & { version?: string };
  text: ts.IScriptSnapshot;
  version: string;
  parse(path: string, text: ts.IScriptSnapshot): ts.SourceFile;
  /** Of the text, if only that is known: the file may have been copied since. */
  digest?: string | undefined;
}

// Shared by all engines of the process, and part of its startup snapshot.
/** All libraries that have been read, by path. */
export const libraries = new Map<string, Library>();
const versions = new Map<string, string>();
let standardFolder: string | undefined;

/** True for TypeScript's and Node's own declarations, two thirds of what is read at the start. */
export function isStandardLibrary(path: string): boolean {
  return path.includes("/@types/node/") || path.includes("/typescript/lib/");
}

/** True for declarations and packages. They are read once, as cells rarely change what is in them. */
export function isLibrary(path: string): boolean {
  return (path.includes("/node_modules/") || path.endsWith(".d.ts")) && !path.includes("/__turnwise_");
}

/** The time of a file's last change. Packages are looked up once, since TypeScript asks for all files at every cell. */
export function fileVersion(path: string): string {
  if (!path.includes("/node_modules/") && !path.startsWith((standardFolder ??= host().standardLibraries())))
    return lastChange(path);
  let version = versions.get(path);
  if (version === undefined) versions.set(path, (version = lastChange(path)));
  return version;
}

/** Forgets the versions of packages, so that whatever has changed on disk is read again. */
export function forgetVersions(): void {
  versions.clear();
}

/** The text of a library that has been read and has not changed since. */
export function libraryText(path: string, version: string): ts.IScriptSnapshot | undefined {
  const known = libraries.get(path);
  if (!known) return undefined;
  if (known.version !== version && known.digest !== undefined) {
    if (digestOf(host().files.read(path) ?? "") === known.digest)
      known.version = known.file.version = version;
    else known.digest = undefined;
  }
  return known.version === version ? known.text : undefined;
}

/**
 * Lets all libraries sleep that have been read, and forgets their texts, so that a snapshot of the process becomes small:
 * what a cell needs of them is read again then.
 */
export function letLibrariesSleep(): void {
  for (const library of libraries.values()) {
    const { file, parse } = library;
    const text = new DiskText(() => file.fileName);
    library.digest = digestOf(library.text.getText(0, library.text.getLength()));
    const read = (): ts.SourceFile => parse(file.fileName, text);
    if (!letSleep(file, read) && file.isDeclarationFile) letDoze(file, read);
    library.text = text;
    (file as unknown as { scriptSnapshot: ts.IScriptSnapshot }).scriptSnapshot = text;
    lateText(file, text);
  }
}

function lateText(file: ts.SourceFile, text: DiskText): void {
  late(file, "text", () => plain(file, "text", text.getText(0, text.getLength())));
}

/** Forgets what is known of libraries beside what they declare: of what was read since they sleep, nobody needs the text. */
export function forgetTexts(): void {
  forgetRead([...libraries.values()].map(({ file }) => file));
  for (const { file, text } of libraries.values()) {
    if (!(text instanceof DiskText)) continue;
    text.forget();
    lateText(file, text);
  }
}

/** Tells all libraries where they are, in a snapshot that was copied together with them. */
export function moveLibraries(moved: (path: string) => string): void {
  standardFolder = undefined;
  const known = [...libraries];
  libraries.clear();
  for (const [path, library] of known) {
    const file = library.file as unknown as Record<string, string> & { symbol?: { escapedName: string } };
    for (const name of ["fileName", "path", "resolvedPath", "originalFileName"]) {
      const place = file[name];
      if (place !== undefined) file[name] = moved(place);
    }
    const { symbol } = file;
    if (symbol) symbol.escapedName = `"${moved(symbol.escapedName.slice(1, -1))}"`;
    libraries.set(moved(path), library);
  }
}

/** The text of a file, read when it is asked for. */
class DiskText implements ts.IScriptSnapshot {
  private text: string | undefined;

  constructor(private readonly path: () => string) {}

  getText(start: number, end: number): string {
    return this.read().slice(start, end);
  }

  getLength(): number {
    return this.read().length;
  }

  getChangeRange(): undefined {
    return undefined;
  }

  forget(): void {
    this.text = undefined;
  }

  private read(): string {
    return (this.text ??= host().files.read(this.path()) ?? "");
  }
}

/**
 * A document registry that reads a library once, even if the cells stop importing it for a while. The standard
 * libraries are read without their doc comments, which takes a third less time; a hover reads the comment
 * that it shows.
 */
export function libraryRegistry(): ts.DocumentRegistry {
  const registry = ts.createDocumentRegistry(host().caseSensitive);
  const base = { ...registry };

  const library = (
    fileName: string,
    text: ts.IScriptSnapshot,
    version: string,
    kind: ts.ScriptKind | undefined,
    options: ts.CreateSourceFileOptions | ts.ScriptTarget,
  ): ts.SourceFile => {
    const known = libraries.get(fileName);
    if (known?.version === version) return known.file;
    const lean =
      isStandardLibrary(fileName) && typeof options === "object"
        ? {
            ...options,
            languageVersion: ts.ScriptTarget.ESNext,
            jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
          }
        : options;
    const parse = (path: string, from: ts.IScriptSnapshot): ts.SourceFile =>
      ts.createLanguageServiceSourceFile(path, from, lean, version, false, kind);
    const file = parse(fileName, text);
    libraries.set(fileName, { file, text, version, parse });
    return file;
  };
  registry.acquireDocumentWithKey = (fileName, path, settings, key, text, version, kind, options) =>
    isLibrary(fileName)
      ? library(fileName, text, version, kind, options as ts.CreateSourceFileOptions)
      : base.acquireDocumentWithKey(fileName, path, settings, key, text, version, kind, options);
  registry.updateDocumentWithKey = (fileName, path, settings, key, text, version, kind, options) =>
    isLibrary(fileName)
      ? library(fileName, text, version, kind, options as ts.CreateSourceFileOptions)
      : base.updateDocumentWithKey(fileName, path, settings, key, text, version, kind, options);
  const release = base.releaseDocumentWithKey as (path: ts.Path, ...rest: unknown[]) => void;
  registry.releaseDocumentWithKey = (path: ts.Path, ...rest: unknown[]) => {
    if (!isLibrary(path)) release(path, ...rest);
  };
  return registry;
}

function lastChange(path: string): string {
  return host().files.version(path);
}

function digestOf(text: string): string {
  return host().files.digest(text).slice(0, 16);
}
