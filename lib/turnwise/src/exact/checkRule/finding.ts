import type { Recipe } from "../../rule";

/** Finding of a check of a rule. */
export interface Finding {
  readonly check: CheckName;
  /**
   * `failed` is a fault: a promise is broken that every rule keeps. `noted` keeps all promises and looks like a bad idea, or
   * like a mistake that no promise shows. `told` is a fact about the rule that is neither.
   */
  readonly verdict: "passed" | "failed" | "noted" | "told";
  /** One sentence. */
  readonly sentence: string;
  /** Advice, or a known fact about it. */
  readonly hint?: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** The checks, in the order of the card: what concerns the formula, then the batch, then what the rule does to J. */
export const checkNames = [
  "gradient",
  "masked cells",
  "padding",
  "row order",
  "batch size",
  "rewards",
  "groups",
  "push",
  "regularizers",
  "critic",
  "equal rewards",
  "group of one",
  "extreme ratios",
  "expected update",
  "one step",
  "repeats",
] as const;

/** A check of `checkRule`. */
export type CheckName = (typeof checkNames)[number];

export type Check = (rule: Recipe) => Finding;

/** The crosses of a check that several things may fail, told with the same figures. */
export const failing =
  (check: CheckName, figures: Finding["figures"]) =>
  (sentence: string, hint: string): Finding => ({ check, verdict: "failed", sentence, hint, figures });

/** A figure as a sentence says it: three significant digits. */
export function figure(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size < 1e-12) return "0";
  if (size >= 1000 || size < 1e-3) return x.toExponential(1);
  return String(Number(x.toPrecision(3)));
}
