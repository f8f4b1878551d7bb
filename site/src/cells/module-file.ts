import { files } from "turnwise/browser";
import { posixPaths } from "turnwise-kernel/internal/types/posix-paths";

/** Writes a file of the page; with `keep`, what it replaces stays beside it under the name that is returned. */
export function writeKept(path: string, text: string, keep: boolean): string | undefined {
  const old = textOf(path);
  if (old === text) return undefined;
  files.mkdirSync(posixPaths.dirname(path), { recursive: true });
  const saved = keep && old !== undefined ? keepBeside(path, old) : undefined;
  files.writeFileSync(path, text);
  return saved;
}

/** Writes the old text under the first name that is free. */
function keepBeside(path: string, old: string): string {
  for (let n = 1; ; n++) {
    const saved = `${path}${n === 1 ? "" : `.${n}`}.bak`;
    if (files.existsSync(saved)) continue;
    files.writeFileSync(saved, old, { flag: "wx" });
    return posixPaths.basename(saved);
  }
}

/** The text of a file of the page; undefined if there is none. */
export function textOf(path: string): string | undefined {
  return isFile(path) ? files.readFileSync(path, "utf8") : undefined;
}

export const isFile = (path: string): boolean =>
  files.statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
