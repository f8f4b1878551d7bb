import type { Magic } from "./contract.js";
import { moduleLine } from "./module-line.js";

/** `%%module`: a cell that becomes a file. */
export const module: Magic = {
  name: "module",
  forms: ["text cell"],
  usage: ["%%module mine.ts [--force]"],
  about: "Writes the cell to a file beside the notebook and imports it.",
  more: `Its exports are names of the notebook from then on, and follow the file when the cell runs again or the file is edited.
The threads of a sweep, here and on a cluster, load the same file, so that they know what it
exports or registers. A module sees what it declares and imports, not the names of other cells.

A file that no such cell has written, or that was edited since, is not replaced; with \`--force\` it is, and its text stays beside
it as mine.ts.bak.`,
  example: "%%module mine.ts\nexport const square = (x: number): number => x * x;",
  words: ["--force"],
  check: (call, host) => host.writeModule(moduleLine(call)),
};
