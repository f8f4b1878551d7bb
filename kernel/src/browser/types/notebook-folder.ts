import type { Files } from "../../types/host.js";
import { posixPaths } from "../../types/posix-paths.js";
import { sha256 } from "./sha256.js";

/** The folder of a notebook in a browser: no file in it is read, and modules that cells write are known by their cells. */
export function notebookFolder(folder: string): Files {
  const isAbove = (path: string): boolean =>
    path === folder || folder.startsWith(path === "/" ? "/" : `${path}/`);
  return {
    path: posixPaths,
    digest: sha256,
    exists: () => false,
    read: () => undefined,
    kind: (path) => (isAbove(path) ? "folder" : undefined),
    hasFolder: isAbove,
    folders: () => [],
    list: () => [],
    version: () => "none",
    real: (path) => path,
  };
}
