import type { RecipeName } from "./rules";

/** Names that rows had in earlier versions, and the row that has their rule now: what was written with one still runs. */
export const deprecatedNames = { stPpo: "soPpo" } as const satisfies Readonly<Record<string, RecipeName>>;

/** A name that `recipe` takes: of a row, or one that a row had before. */
export type RecipeNameInput = RecipeName | keyof typeof deprecatedNames;

/** The name that the table has for it; any other string is given back. */
export const currentName = (name: RecipeNameInput): RecipeName =>
  Object.hasOwn(deprecatedNames, name)
    ? deprecatedNames[name as keyof typeof deprecatedNames]
    : (name as RecipeName);
