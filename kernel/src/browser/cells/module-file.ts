import { files } from "turnwise/browser";
import { posixPaths } from "../../types/posix-paths.js";

/** Writes a file of the page; with `keep`, what it replaces stays beside it under the name that is returned. */
export function writeKept(path: string, text: string, keep: boolean): string | undefined {
  const old = textOf(path);
  if (old === text) return undefined;
  files.mkdirSync(posixPaths.dirname(path), { recursive: true });
  let saved: string | undefined;
  if (keep && old !== undefined) {
    for (let n = 1; saved === undefined || files.existsSync(saved); n++)
      saved = `${path}${n === 1 ? "" : `.${n}`}.bak`;
    files.writeFileSync(saved, old);
  }
  files.writeFileSync(path, text);
  return saved && posixPaths.basename(saved);
}

/** The text of a file of the page; undefined if there is none. */
export function textOf(path: string): string | undefined {
  return isFile(path) ? files.readFileSync(path, "utf8") : undefined;
}

export const isFile = (path: string): boolean =>
  files.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
