import type { Magic } from "./contract.js";
import { dialectOf, dialects, type Dialect } from "./dialects.js";

/** Levels of an object that `console.log` shows. */
const logDepth: Record<Dialect, number> = { typescript: 2, javascript: 2, deno: 4 };

/** `%dialect`: the kernel whose notebooks the cells are read as. */
export const dialect: Magic = {
  name: "dialect",
  forms: ["line"],
  usage: ["%dialect typescript | javascript | deno"],
  about:
    "From this cell on, reads cells as another kernel does: as TypeScript, as plain JavaScript, or as Deno does.",
  more:
    "In `javascript`, a type error only warns, assigning to an undeclared name makes a global, and code is sloppy unless it says " +
    "`'use strict'`, as in ijavascript and jslab. In `deno`, a type error only warns, because Deno checks no types, and `console.log` shows " +
    "objects four levels deep. A kernel installed under another kernel's name uses that dialect from the start: " +
    "`turnwise install --name deno`. Kernel names work as well: `tslab`, `ijavascript`, `jslab`.",
  example: "%dialect javascript",
  words: dialects,
  check({ rest }, host) {
    host.setDialect(read(rest));
  },
  run({ rest }, host) {
    host.settings.set("logDepth", logDepth[read(rest)]);
  },
};

function read(rest: string): Dialect {
  const found = dialectOf(rest.trim());
  if (found === undefined) {
    throw new RangeError(
      `Cannot set the dialect: %dialect must be followed by ${dialects.slice(0, -1).join(", ")} or ${dialects.at(-1)}, got ${JSON.stringify(rest.trim())}.`,
    );
  }
  return found;
}

/** Depth of `console.log` in a dialect. */
export const logDepthOf = (one: Dialect): number => logDepth[one];
