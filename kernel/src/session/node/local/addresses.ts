import { installedSpecifier } from "../../../types/foreign-specifier.js";
import { realpathSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The parameter of a local module's address: which evaluation of its file is meant. Node keeps ES modules for ever. */
const parameter = "turnwise";
const pattern = new RegExp(`^(file:[^?#]*)\\?${parameter}=(\\d+)$`);

/** The address under which Node loads a local file; only local modules have such a one. */
export function localUrl(path: string, version: number): string {
  return `${pathToFileURL(path).href}?${parameter}=${version}`;
}

/** The path of a local module; undefined for any other module. */
export function localPath(url: string | undefined): string | undefined {
  const [, plain] = (url !== undefined && pattern.exec(url)) || [];
  return plain === undefined ? undefined : fileURLToPath(plain);
}

/** Whether a file must be compiled before Node can run it. */
export const isTypeScript = (path: string): boolean => /^\.([cm]?ts|tsx|jsx)$/.test(extname(path));

/** Whether a specifier is a place in the file system, and no package. */
export const isPlace = (specifier: string): boolean =>
  /^(\.{0,2}[\\/]|\.{1,2}$|file:|[A-Za-z]:[\\/])/.test(specifier);

/** The file itself, as Node loads it. */
export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The specifier under which Node finds what a local module imports by `npm:`, `jsr:` or from a server of packages. */
export const named = (specifier: string, from: string | undefined): string =>
  localPath(from) === undefined ? specifier : (installedSpecifier(specifier) ?? specifier);
