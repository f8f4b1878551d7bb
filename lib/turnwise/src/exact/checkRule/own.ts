import type { Recipe } from "../../rule";
import { customFunctions } from "../../rule/custom/customFunctions";

/** Whether a rule has a function of the caller's at all. */
export const isOwn = (rule: Recipe): boolean => customFunctions(rule).length > 0;

/** Whether one of the fields, such as `advantage` or `regularizer`, holds a function of the caller's. */
export const owns = (rule: Recipe, ...fields: readonly string[]): boolean =>
  customFunctions(rule).some(({ field }) => fields.includes(field.split(".")[0]!));

/** The labels of all functions of the caller's in a rule. */
export const ownLabels = (rule: Recipe): readonly string[] => customFunctions(rule).map(({ by }) => by.label);
