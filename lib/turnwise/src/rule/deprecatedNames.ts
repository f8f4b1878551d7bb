import type { RecipeName } from "./rules";

/** Names that rules had in earlier versions, and their present names: what was written with one still runs. */
export const deprecatedNames = { stPpo: "soPpo" } as const satisfies Readonly<Record<string, RecipeName>>;

/** A name that `recipe` takes: of a rule, or one that a rule had before. */
export type RecipeNameInput = RecipeName | keyof typeof deprecatedNames;

/** The name that the table has for it; any other string is given back. */
export const currentName = (name: RecipeNameInput): RecipeName =>
  Object.hasOwn(deprecatedNames, name)
    ? deprecatedNames[name as keyof typeof deprecatedNames]
    : (name as RecipeName);
