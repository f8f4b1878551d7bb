import type { Magic } from "./contract.js";
import { moduleLine } from "./module-line.js";

/** `%%module`: a cell that becomes a file. */
export const module: Magic = {
  name: "module",
  forms: ["text cell"],
  usage: ["%%module mine.ts [--force]"],
  about: "Writes the cell to a file next to the notebook and imports it.",
  more: `Its exports become names of the notebook, and are updated when the cell runs again or the file is edited.
The threads of a sweep, here and on a cluster, load the same file, so they know what it
exports or registers. A module sees only its own declarations and imports, not the names of other cells.

A file that no such cell wrote, or that was edited since, is not replaced. With \`--force\` it is, and its old text is kept next
to it as mine.ts.bak.`,
  example: "%%module mine.ts\nexport const square = (x: number): number => x * x;",
  words: ["--force"],
  check: (call, host) => host.writeModule(moduleLine(call)),
};
