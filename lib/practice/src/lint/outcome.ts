import type { FlagValue } from "../configs/given";
import type { SettingName } from "./settings/contract";

/** Harm that a finding predicts. */
export type Severity = "error" | "warning" | "note";

/** Confidence that the finding is real and harmful. */
export type Confidence = "certain" | "likely" | "possible";

/** A setting with another value. */
export interface Change {
  readonly setting: SettingName;
  /** Null: leave it out. */
  readonly value: FlagValue;
}

/** Outcome of a finding for one configuration. */
export type Outcome =
  | { readonly kind: "clear" }
  | {
      readonly kind: "found";
      /** Evidence from the configuration, with its numbers. */
      readonly evidence: string;
      /** Settings with which this is found no longer; empty where none does it. */
      readonly change: readonly Change[];
      /** Advice if no setting helps, or in addition to one. */
      readonly advice?: string;
      readonly confidence?: Confidence;
    };

export const clear: Outcome = { kind: "clear" };

/** A finding that was seen. */
export const found = (
  evidence: string,
  change: readonly Change[] = [],
  more: { readonly advice?: string; readonly confidence?: Confidence } = {},
): Outcome => ({ kind: "found", evidence, change, ...more });

/** Why a finding is neither seen nor excluded. */
export class Undecided extends Error {
  constructor(
    readonly kind: "unknown" | "inapplicable",
    why: string,
  ) {
    super(why);
  }
}

/** Answer to a question about a configuration; `otherwise` where it does not say enough, or no number where one must be. */
export function ifKnown<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Undecided || error instanceof TypeError) return otherwise;
    throw error;
  }
}

/** @throws {Undecided} always: the configuration does not tell */
export function unknown(why: string): never {
  throw new Undecided("unknown", why);
}

/** @throws {Undecided} always: the question does not arise */
export function inapplicable(why: string): never {
  throw new Undecided("inapplicable", why);
}
