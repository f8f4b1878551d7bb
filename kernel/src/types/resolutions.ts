import { statSync } from "node:fs";
import ts from "typescript";
import { isLibrary } from "./registry.js";

// Where the files of libraries find what they import, by file and name. Part of the startup snapshot.
const found = new Map<string, Map<string, ts.ResolvedModuleFull>>();
/** What npm had installed when they were found, by the folder of its packages. */
const installed = new Map<string, number>();

/** Resolves an import. Imports of libraries are resolved once, since hundreds of files have a thousand of them. */
export function resolveOnce(
  containing: string,
  name: string,
  resolve: () => ts.ResolvedModuleWithFailedLookupLocations,
): ts.ResolvedModuleWithFailedLookupLocations {
  if (!isLibrary(containing)) return resolve();
  const known = found.get(containing)?.get(name);
  if (known !== undefined && ts.sys.fileExists(known.resolvedFileName)) return { resolvedModule: known };
  const resolution = resolve();
  if (resolution.resolvedModule) {
    const ofFile = found.get(containing) ?? new Map<string, ts.ResolvedModuleFull>();
    found.set(containing, ofFile.set(name, resolution.resolvedModule));
    for (const path of [containing, resolution.resolvedModule.resolvedFileName]) noteInstallation(path);
  }
  return resolution;
}

/** Forgets everything if npm has installed or removed a package since. */
export function forgetOldResolutions(): void {
  if ([...installed].every(([folder, when]) => lastInstallation(folder) === when)) return;
  found.clear();
  installed.clear();
}

function noteInstallation(path: string): void {
  const end = path.indexOf("/node_modules/");
  if (end < 0) return;
  const folder = path.slice(0, end + "/node_modules".length);
  if (!installed.has(folder)) installed.set(folder, lastInstallation(folder));
}

/** npm writes this file whenever it changes what is in the folder. */
function lastInstallation(folder: string): number {
  return statSync(`${folder}/.package-lock.json`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
