import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import * as path from "node:path";
import type { Folder } from "./host.js";

/** A folder on the disk. A file of its own, since sessions need it and must not load TypeScript. */
export const disk: Folder = {
  path,
  kind(path) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    return found.isFile()
      ? "file"
      : found.isDirectory()
        ? "folder"
        : found.isSymbolicLink()
          ? "link"
          : "other";
  },
  read(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
  real: (path) => realpathSync(path),
  digest: (text) => createHash("sha256").update(text).digest("hex"),
};
