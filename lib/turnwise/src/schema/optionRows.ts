import type { TSchema } from "@sinclair/typebox";
import { knobsOf } from "./knobs";

/** One option as a line of a table. */
export interface OptionRow {
  readonly option: string;
  /** Description of the valid values: completes "must be ...". */
  readonly mustBe: string;
  /** Empty where nothing stands for it. */
  readonly default: string;
  readonly unit: string;
  readonly help: string;
}

/** The options of a schema as lines of a table, in its order. */
export function optionRows(schema: TSchema): OptionRow[] {
  return knobsOf(schema).map(({ path, wanted, default: initial, unit = "", help }) => ({
    option: path,
    mustBe: wanted,
    default: initial === undefined ? "" : JSON.stringify(initial),
    unit,
    help,
  }));
}
