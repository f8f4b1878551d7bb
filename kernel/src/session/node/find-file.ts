import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

// As in an editor: TypeScript wins over a compiled neighbour.
const extensions = [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json"];

/** The file for a path that may lack its extension, name a folder, or name the `.js` of a `.ts` file. */
export function findFile(path: string): string | undefined {
  if (isFile(path)) return path;
  const stem = /\.[cm]?jsx?$/.test(path) ? path.replace(/\.([cm]?)jsx?$/, ".$1ts") : undefined;
  if (stem !== undefined && isFile(stem)) return stem;
  for (const extension of extensions) if (isFile(path + extension)) return path + extension;
  for (const extension of extensions) {
    const index = join(path, `index${extension}`);
    if (isFile(index)) return index;
  }
  return undefined;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
