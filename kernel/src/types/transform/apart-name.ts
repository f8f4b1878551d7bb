// A file of its own, since sessions need it and must not load TypeScript.

/** Suffix of a notebook's name that the engine or a package has, too: an invisible letter. See apart.ts. */
export const suffix = "\u200c";

/** Names that the session gives to code of cells alone. */
export const namesOfCells: ReadonlySet<string> = new Set(["Deno", "module", "exports"]);

/** The name as it is written in cells. */
export const writtenName = (name: string): string => (name.endsWith(suffix) ? name.slice(0, -1) : name);
