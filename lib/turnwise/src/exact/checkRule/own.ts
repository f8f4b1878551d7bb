import type { Recipe } from "../../rule";
import { ownFunctions } from "../../rule/ownFunctions";

/** Whether a row has a function of the caller's at all. */
export const isOwn = (row: Recipe): boolean => ownFunctions(row).length > 0;

/** Whether one of the cells, such as `advantage` or `regulariser`, holds a function of the caller's. */
export const owns = (row: Recipe, ...cells: readonly string[]): boolean =>
  ownFunctions(row).some(({ cell }) => cells.includes(cell.split(".")[0]!));

/** The labels of all functions of the caller's in a row. */
export const ownLabels = (row: Recipe): readonly string[] => ownFunctions(row).map(({ by }) => by.label);
