import type { Static } from "../schema";
import type { RecipeName } from "./rules";
import type { recipeSchema } from "./schema";

export type { AdvantageChoice } from "./advantage";
export type { AggregateChoice } from "./aggregate";
export type { GateChoice } from "./gate";
export type { RatioLevel } from "./ratio";
export type { Pooling } from "./ratio/pooling";
export type { RecipeName, RecipeOverrides } from "./rules";
export type { OptimizerChoice } from "./update";

/** An update rule: plain, frozen data. Change one field and the rule changes with it. */
export type Recipe = { readonly name: RecipeName } & Static<typeof recipeSchema>;
