import type { SettingName } from "turnwise/internal/play/settings";

/** Values that a setting may have: words of a menu, or numbers of a range. */
export type Knob =
  | { readonly words: readonly string[] }
  | { readonly min: number; readonly max: number; readonly isWhole: boolean; readonly isLog: boolean };

/** A setting's value: a word or a number. */
export type Value = string | number;

/** The settings of a rule, of the sampling and of chance; world and rule themselves are none of them. */
export type Name = Exclude<SettingName, "env" | "recipe">;

export interface Rule {
  readonly name: string;
  readonly title: string;
  /** Values of the rule as it is published, as far as it has such a setting. */
  readonly values: Readonly<Partial<Record<Name, Value>>>;
}

/** One value of a field, with its equation as MathML. */
export interface Choice {
  readonly help: string;
  readonly equation: string;
  readonly source: string;
}

/** Facts about rules, fields and worlds, made from the library when the page is built: the page itself holds no library. */
export interface Catalog {
  readonly knobs: Readonly<Record<Name, Knob>>;
  /** Values of settings that no rule has: how much is sampled, and chance. */
  readonly sampling: Readonly<Partial<Record<Name, Value>>>;
  readonly groups: readonly { readonly title: string; readonly rules: readonly Rule[] }[];
  readonly choices: Readonly<Partial<Record<Name, Readonly<Record<string, Choice>>>>>;
  readonly fields: Readonly<Partial<Record<Name, string>>>;
  readonly worlds: readonly { readonly id: string; readonly about: string; readonly isExact: boolean }[];
}

/** Every rule by its name. */
export const rulesOf = ({ groups }: Catalog): ReadonlyMap<string, Rule> =>
  new Map(groups.flatMap(({ rules }) => rules.map((rule) => [rule.name, rule] as const)));
