import { statSync } from "node:fs";
import { dirname } from "node:path";
import ts from "typescript";

interface Library {
  file: ts.SourceFile;
  text: ts.IScriptSnapshot;
  version: string;
}

// Shared by all engines of the process, and part of its startup snapshot.
const libraries = new Map<string, Library>();
const versions = new Map<string, string>();
const standardFolder = dirname(ts.getDefaultLibFilePath({}));

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
  if (!path.includes("/node_modules/") && !path.startsWith(standardFolder)) return lastChange(path);
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
  return known?.version === version ? known.text : undefined;
}

/**
 * A document registry that reads a library once, even if the cells stop importing it for a while. The standard
 * libraries are read without their doc comments, which takes a third less time; a hover reads the comment
 * that it shows.
 */
export function libraryRegistry(): ts.DocumentRegistry {
  const registry = ts.createDocumentRegistry();
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
    const file = ts.createLanguageServiceSourceFile(fileName, text, lean, version, false, kind);
    libraries.set(fileName, { file, text, version });
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
  return String(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? "none");
}
