import { dirname } from "node:path";
import ts from "typescript";
import { moveLibraries } from "./registry.js";
import { moveResolutions } from "./resolutions.js";

/** Makes a process that started from a copied snapshot know where the copy is: the build, and all that lies beside it. */
export function move(from: string, to: string): void {
  const [old, now] = [withoutCommonEnd(from, to), withoutCommonEnd(to, from)];
  const moved = (path: string): string => (path.startsWith(`${old}/`) ? now + path.slice(old.length) : path);
  const executing = moved(ts.sys.getExecutingFilePath());
  ts.sys.getExecutingFilePath = () => executing;
  // The loader of the snapshot asks for it.
  (globalThis as { turnwiseMoved?: (path: string) => string }).turnwiseMoved = moved;
  moveLibraries(moved);
  moveResolutions(moved);
}

/** Up to the folder that was copied: the names below it are the same in both. */
function withoutCommonEnd(path: string, other: string): string {
  let [one, two] = [path, other];
  while (one !== dirname(one) && one.slice(dirname(one).length) === two.slice(dirname(two).length))
    [one, two] = [dirname(one), dirname(two)];
  return one === "/" ? "" : one;
}
