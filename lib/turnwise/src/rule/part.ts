import { didYouMean } from "../base/suggest";
import { show } from "../base/show";
import type { Fields } from "../schema";

/** Declaration that every value of a choice has, one file each. */
export interface Part<F extends Fields> {
  /** One sentence. */
  readonly help: string;
  /** LaTeX, without delimiters. */
  readonly equation: string;
  /** A paper or repository that a reader can open. */
  readonly source: string;
  /** Its knobs. */
  readonly fields: F;
}

/** The fields of every value of a choice, as the schema of rules wants them. */
export type FieldsOf<T extends Readonly<Record<string, { readonly fields: Fields }>>> = {
  readonly [K in keyof T]: T[K]["fields"];
};

export const fieldsOf = <T extends Readonly<Record<string, { readonly fields: Fields }>>>(
  table: T,
): FieldsOf<T> =>
  Object.fromEntries(Object.entries(table).map(([name, { fields }]) => [name, fields])) as FieldsOf<T>;

/**
 * The value that a rule names. The only way from a name to what it does, so that no name falls back to another's.
 *
 * @throws {RangeError} if the name is not in the table
 */
export function named<P>(table: Readonly<Record<string, P>>, field: string, name: string): P {
  if (!Object.hasOwn(table, name)) {
    const names = Object.keys(table);
    throw new RangeError(
      `Cannot apply a recipe: ${field} must be one of ${names.join(", ")}, ` +
        `got ${show(name)}.${didYouMean(name, names)}`,
    );
  }
  return table[name]!;
}
