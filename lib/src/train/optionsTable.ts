import { optionRows, type OptionRow } from "../schema";
import { trainSchema } from "./options";

/**
 * The options of `train` as rows of a table: what each may be, its default, its unit, and what it does.
 *
 * @example
 * import { optionsTable } from "turnwise";
 *
 * optionsTable().find(({ option }) => option === "groupSize")!.default; // => "8"
 */
export function optionsTable(): OptionRow[] {
  return optionRows(trainSchema);
}
