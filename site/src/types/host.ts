import {
  packedBuiltins,
  PackedFiles,
  packedPlaces,
  type Packed,
} from "turnwise-kernel/internal/types/packed";
import { magics } from "turnwise-kernel/internal/magics/index";
import type { Host } from "turnwise-kernel/internal/types/host";
import { installInPage } from "./install.js";
import { pageFolder, type PageFiles } from "../shared/page-folder.js";
import { sha256 } from "../shared/sha256.js";

/** Services of a browser that the workers of types need. */
export function browserHost(
  folder: string,
  own: PageFiles,
  packed: Packed,
  transpile: Host["transpile"],
): Host {
  return {
    files: new PackedFiles(packed.files, pageFolder(own, folder), sha256),
    caseSensitive: true,
    ...packedPlaces,
    ...packedBuiltins(packed),
    runtime: () => "This browser",
    // A check that nobody waits for ends with its worker.
    cancellation: () => ({ isCancellationRequested: () => false }),
    magics: magics.map((magic) => (magic.name === "install" ? installInPage(() => []) : magic)),
    form: "global",
    transpile,
  };
}
