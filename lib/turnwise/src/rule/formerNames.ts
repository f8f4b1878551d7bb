import type { RecipeName } from "./rows";

/** Names that rows had in earlier versions, and the row that has their rule now: what was written with one still runs. */
export const formerNames = { stPpo: "soPpo" } as const satisfies Readonly<Record<string, RecipeName>>;

/** A name that `recipe` takes: of a row, or one that a row had before. */
export type GivenName = RecipeName | keyof typeof formerNames;

/** The name that the table has for it; any other string is given back. */
export const presentName = (name: GivenName): RecipeName =>
  Object.hasOwn(formerNames, name) ? formerNames[name as keyof typeof formerNames] : (name as RecipeName);
