import { packedBuiltins, PackedFiles, packedPlaces, type Packed } from "../../types/packed.js";
import { magics } from "../../magics/index.js";
import type { Host } from "../../types/host.js";
import { installInPage } from "../cells/install.js";
import { pageFolder, type PageFiles } from "../page-folder.js";
import { sha256 } from "../sha256.js";

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
