import type { Files } from "turnwise-kernel/internal/types/host";
import { posixPaths } from "turnwise-kernel/internal/types/posix-paths";
import { sha256 } from "./sha256.js";

/** Files as a page has them: by absolute paths with slashes, all at once. */
export interface PageFiles {
  read(path: string): Uint8Array | undefined;
  /** The names in a folder, those of folders with "/" at the end. */
  list(folder: string): readonly string[] | undefined;
}

/** The files of a page, and the folder of the notebook, which is there even when nothing lies in it. */
export function pageFolder(files: PageFiles, folder: string): Files {
  const isAbove = (path: string): boolean =>
    path === folder || folder.startsWith(path === "/" ? "/" : `${path}/`);
  const hasFolder = (path: string): boolean => isAbove(path) || files.list(path) !== undefined;
  const read = (path: string): string | undefined => {
    const bytes = files.read(path);
    return bytes && new TextDecoder().decode(bytes);
  };
  return {
    path: posixPaths,
    digest: sha256,
    exists: (path) => files.read(path) !== undefined,
    read,
    kind: (path) => (files.read(path) ? "file" : hasFolder(path) ? "folder" : undefined),
    hasFolder,
    folders: (path) =>
      (files.list(path) ?? []).filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1)),
    list: () => [],
    version(path) {
      const text = read(path);
      return text === undefined ? "none" : sha256(text);
    },
    real: (path) => path,
  };
}
