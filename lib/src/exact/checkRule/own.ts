import type { Recipe } from "../../rule";
import { isCustom } from "../../rule/custom";

/** The cells of a row that hold a function of the caller's, at whatever depth. */
export function ownCells(row: Recipe): readonly string[] {
  return Object.entries(row)
    .filter(([, cell]) => labelsIn(cell).length > 0)
    .map(([name]) => name);
}

/** Whether one of the cells is the caller's own. */
export function owns(row: Recipe, ...cells: readonly string[]): boolean {
  return ownCells(row).some((cell) => cells.includes(cell));
}

/** The labels of all functions of the caller's in a row. */
export const ownLabels = (row: Recipe): readonly string[] => labelsIn(row);

function labelsIn(value: unknown): string[] {
  if (isCustom(value)) return [value.label];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(labelsIn) : [];
}
