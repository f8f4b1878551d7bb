import type { StoredLanguageRun } from "./stored";

/** Fields that runs of one setting share. */
type Setting = Partial<Pick<StoredLanguageRun, "world" | "skill" | "rule" | "reuse" | "bits">>;

/** The stored runs of a setting: without reuse and rounding, unless told. */
export function runsWith(runs: readonly StoredLanguageRun[], setting: Setting): readonly StoredLanguageRun[] {
  const wanted = Object.entries({ reuse: false, bits: 0, ...setting }) as [keyof Setting, unknown][];
  return runs.filter((run) => wanted.every(([name, value]) => run[name] === value));
}

/** Ends of the runs. */
export const finalsOf = (runs: readonly StoredLanguageRun[]): number[] => runs.map(({ final }) => final);

/** A model has learned the tool if it solves more than three of four tasks; nobody does who guesses. */
export const learned = ({ final }: Pick<StoredLanguageRun, "final">): boolean => final > 0.75;
