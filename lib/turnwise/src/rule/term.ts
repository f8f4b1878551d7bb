import type { TSchema } from "@sinclair/typebox";

/** Declaration of a term that a rule adds to the loss or to the reward; an omitted part does not compile. */
export interface Term<F extends TSchema> {
  /** LaTeX, without delimiters: what is added. */
  readonly equation: string;
  /** A paper or repository that a reader can open. */
  readonly source: string;
  /** Its field of a rule. */
  readonly field: F;
  /** A few characters for the printed table; nothing where the rule does without. */
  label(field: F["static"]): string[];
}

/** Types the label by the field. */
export const term = <F extends TSchema>(parts: Term<F>): Term<F> => parts;
