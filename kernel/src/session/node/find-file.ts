import { existsSync, statSync } from "node:fs";
import { normalize } from "node:path";
import { fileFor } from "../file-for.js";

/** The file on disk for a path as an import names it. */
export function findFile(path: string): string | undefined {
  const found = fileFor(path, (one) => existsSync(one) && statSync(one).isFile());
  return found && normalize(found);
}
