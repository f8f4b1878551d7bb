import type ts from "typescript";
import { host } from "./host.js";
import { isLibrary } from "./registry.js";

/** Imports that the files of libraries resolve, by file and name. Part of the startup snapshot. */
export const found = new Map<string, Map<string, ts.ResolvedModuleFull>>();
/** Packages that npm had installed when they were resolved, by the folder of its packages. */
const installed = new Map<string, string>();

/** Resolves an import. Imports of libraries are resolved once, since hundreds of files have a thousand of them. */
export function resolveOnce(
  containing: string,
  name: string,
  resolve: () => ts.ResolvedModuleWithFailedLookupLocations,
): ts.ResolvedModuleWithFailedLookupLocations {
  if (!isLibrary(containing)) return resolve();
  // Node's own modules are declared by name: no file is looked for, where hundreds of files would ask in many folders.
  if (host().isBuiltin(name)) return { resolvedModule: undefined };
  const known = found.get(containing)?.get(name);
  if (known !== undefined && host().files.exists(known.resolvedFileName)) return { resolvedModule: known };
  const resolution = resolve();
  if (resolution.resolvedModule) {
    const ofFile = found.get(containing) ?? new Map<string, ts.ResolvedModuleFull>();
    found.set(containing, ofFile.set(name, resolution.resolvedModule));
    for (const path of [containing, resolution.resolvedModule.resolvedFileName]) noteInstallation(path);
  }
  return resolution;
}

/** Tells where everything is, in a snapshot that was copied together with it. What npm has done there is not known to differ. */
export function moveResolutions(moved: (path: string) => string): void {
  for (const [path, ofFile] of [...found]) {
    found.delete(path);
    for (const one of ofFile.values()) {
      one.resolvedFileName = moved(one.resolvedFileName);
      const whole = one as { originalPath?: string };
      if (whole.originalPath !== undefined) whole.originalPath = moved(whole.originalPath);
    }
    found.set(moved(path), ofFile);
  }
  const folders = [...installed.keys()].map(moved);
  installed.clear();
  for (const folder of folders) installed.set(folder, lastInstallation(folder));
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
function lastInstallation(folder: string): string {
  return host().files.version(`${folder}/.package-lock.json`);
}
