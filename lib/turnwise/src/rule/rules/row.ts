import type { Given } from "../../schema";
import type { Citation } from "../evidence";
import type { recipeSchema } from "../schema";

/**
 * Changes of a rule that `recipe(name, overrides)` accepts: any part of it. What is left out keeps its value, and
 * another choice starts from its own defaults.
 */
export type RecipeOverrides = Given<typeof recipeSchema> & {
  /** SeeUPO only: `theory` (paper, Eq. 3-9) or `authors` (released code). */
  readonly variant?: "theory" | "authors";
};

/** A rule: where it comes from, and its fields as differences from the plainest rule. */
export interface Row extends Citation {
  readonly fields: RecipeOverrides;
}
