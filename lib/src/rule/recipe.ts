import type { Static } from "../schema";
import type { RecipeName } from "./rows";
import type { recipeSchema } from "./schema";

export type { AdvantageChoice } from "./advantage";
export type { AggregateChoice } from "./aggregate";
export type { FilterChoice } from "./filter";
export type { GateChoice } from "./gate";
export type { OrderChoice } from "./order";
export type { CarryChoice } from "./order/carries";
export type { RatioChoice, RatioLevel } from "./ratio";
export type { Pooling } from "./ratio/pooling";
export type { RegulariserChoice } from "./regulariser";
export type { KlEstimator } from "./regulariser/kl";
export type { RewardChoice } from "./reward";
export type { RecipeName, RecipeOverrides } from "./rows";
export type { ScaleChoice } from "./scale";
export type { OptimiserChoice, UpdateChoice } from "./update";

/** An update rule: plain, frozen data. Change one cell and the rule changes with it. */
export type Recipe = { readonly name: RecipeName } & Static<typeof recipeSchema>;
