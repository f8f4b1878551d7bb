import type { FlagValue } from "../configs/given";
import type { SettingName } from "./settings/contract";

/** How much harm a finding foretells. */
export type Severity = "error" | "warning" | "note";

/** How sure it is that what is seen is there, and harms. */
export type Confidence = "certain" | "likely" | "possible";

/** A setting with another value. */
export interface Change {
  readonly setting: SettingName;
  /** Null: leave it out. */
  readonly value: FlagValue;
}

/** What a finding says of one configuration. */
export type Outcome =
  | { readonly kind: "clear" }
  | {
      readonly kind: "found";
      /** What the configuration says, with its numbers. */
      readonly evidence: string;
      /** Settings with which this is found no longer; empty where none does it. */
      readonly change: readonly Change[];
      /** What to do where no setting does it, or besides. */
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

/** @throws {Undecided} always: the configuration does not tell */
export function unknown(why: string): never {
  throw new Undecided("unknown", why);
}

/** @throws {Undecided} always: the question does not arise */
export function inapplicable(why: string): never {
  throw new Undecided("inapplicable", why);
}
