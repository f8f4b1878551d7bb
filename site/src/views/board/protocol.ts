/** A rule as the board makes it: a rule of the table, and a change of one field, or a gate that its reader wrote. */
export interface Wanted {
  readonly rule: string;
  /** A field's path and value, such as "gate.clipHigh~0.3"; "" for the rule as it is. */
  readonly change: string;
  /** A gate in JavaScript, which never comes from a link. */
  readonly code?: string;
}

/** A field of a rule that can be changed: its value, and the others that fit the rule. */
export interface Field {
  readonly path: string;
  readonly help: string;
  readonly own: string;
  readonly values: readonly string[];
}

/** A finding of `checkRule`, in words. */
export interface Finding {
  readonly check: string;
  readonly verdict: "passed" | "failed" | "noted" | "told";
  readonly sentence: string;
  readonly hint?: string;
}

export type ToWorker =
  | { readonly kind: "fields"; readonly rule: string }
  | { readonly kind: "check"; readonly wanted: Wanted }
  | {
      readonly kind: "run";
      readonly wanted: Wanted;
      readonly worlds: readonly string[];
      readonly seeds: readonly number[];
    };

export type FromWorker =
  | { readonly kind: "fields"; readonly rule: string; readonly fields: readonly Field[] }
  | { readonly kind: "checked"; readonly findings: readonly Finding[] }
  /** Exact return after a run: the world and the seed by their places. */
  | { readonly kind: "reached"; readonly world: number; readonly seed: number; readonly reached: number }
  | { readonly kind: "done" }
  | { readonly kind: "problem"; readonly problem: string };
