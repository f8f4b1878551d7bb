import { parseDocComment } from "./docComment.js";
import type { Declared } from "./declarations.js";

/** What `help("%%module")` and `help("%types")` tell: magic lines are no exported names, so that no declaration has them. */
export const magics: ReadonlyMap<string, Declared> = new Map(
  Object.entries({
    "%%module": {
      signature: "%%module mine.ts [--force]",
      comment: `/**
 * As the first line of a cell: writes the cell to a file beside the notebook and imports it. Its exports are names of the
 * notebook from then on, and follow the file when the cell runs again or the file is edited. The threads of a sweep, here
 * and on a cluster, load the same file, so that they know worlds, policies and pieces of a rule that it exports or registers.
 * A module sees what it declares and imports, not the names of other cells.
 *
 * A file that no such cell has written, or that was edited since, is not replaced; with --force it is, and its text stays
 * beside it as mine.ts.bak.
 * @example
 * %%module mine.ts
 * import { recipe } from "turnwise";
 *
 * export const row = recipe("grpo", { update: { epochs: 2 } });
 */`,
    },
    "%types": {
      signature: "%types error | warn | off",
      comment: `/** From here on, a type error stops its cell, is told and the cell runs, or is not looked for. */`,
    },
  }).map(([name, { signature, comment }]) => [
    name,
    { name, signature, file: "", ...parseDocComment(comment) },
  ]),
);
