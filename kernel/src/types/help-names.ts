import type { KnownPackage } from "../help/known-packages.js";

/**
 * The text of a cell with the cursor in the quotes of `help("...`, and after it a declaration of `help` that knows the names that packages
 * declare as `completions.help`.
 *
 * Only there: the declaration of every cell would load packages that most cells do not import.
 */
export function withHelpNames(text: string, before: string, known: () => readonly KnownPackage[]): string {
  if (!/\bhelp\(\s*["'`][^"'`\n]*$/.test(before)) return text;
  const answers = known().flatMap(({ field }) => field.completions?.help ?? []);
  if (answers.length === 0) return text;
  const union = answers.map((one) => `(${one})`).join(" | ");
  return `${text}\ndeclare function help<What>(what: What | ${union}): unknown;`;
}
