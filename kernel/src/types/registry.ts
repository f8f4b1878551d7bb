import { statSync } from "node:fs";
import ts from "typescript";

interface Library {
  file: ts.SourceFile;
  version: string;
  /** The time of the file's last change when it was read. */
  changed: number;
}

// Shared by all engines of the process, and part of its startup snapshot.
const libraries = new Map<string, Library>();

/** True for TypeScript's and Node's own declarations: two thirds of all there is to read at start. */
export function isStandardLibrary(path: string): boolean {
  return path.includes("/@types/node/") || path.includes("/typescript/lib/");
}

function isLibrary(path: string): boolean {
  return (path.includes("/node_modules/") || path.endsWith(".d.ts")) && !path.includes("/__turnwise_");
}

/** Drops what has changed on disk since it was read. */
export function forgetChangedFiles(): void {
  for (const [path, { changed }] of libraries) if (lastChange(path) !== changed) libraries.delete(path);
}

/**
 * A document registry that reads a library once, also when the cells stop importing it for a while. The standard
 * libraries are read without their doc comments, which takes a third less time; what hovers show of them is read
 * when it is asked for.
 */
export function libraryRegistry(): ts.DocumentRegistry {
  const registry = ts.createDocumentRegistry();
  const base = { ...registry };

  const library = (
    fileName: string,
    snapshot: ts.IScriptSnapshot,
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
    const file = ts.createLanguageServiceSourceFile(fileName, snapshot, lean, version, false, kind);
    libraries.set(fileName, { file, version, changed: lastChange(fileName) });
    return file;
  };
  registry.acquireDocumentWithKey = (fileName, path, settings, key, snapshot, version, kind, options) =>
    isLibrary(fileName)
      ? library(fileName, snapshot, version, kind, options as ts.CreateSourceFileOptions)
      : base.acquireDocumentWithKey(fileName, path, settings, key, snapshot, version, kind, options);
  registry.updateDocumentWithKey = (fileName, path, settings, key, snapshot, version, kind, options) =>
    isLibrary(fileName)
      ? library(fileName, snapshot, version, kind, options as ts.CreateSourceFileOptions)
      : base.updateDocumentWithKey(fileName, path, settings, key, snapshot, version, kind, options);
  const release = base.releaseDocumentWithKey as (path: ts.Path, ...rest: unknown[]) => void;
  registry.releaseDocumentWithKey = (path: ts.Path, ...rest: unknown[]) => {
    if (!isLibrary(path)) release(path, ...rest);
  };
  return registry;
}

function lastChange(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
}
