import type { Recipe } from "turnwise/internal/rule/index";
import { dialects, type DialectName } from "../configs/dialects";
import type { Dialect } from "../configs/dialects/contract";
import type { FlagValue, Given, Without } from "../configs/given";
import type { TrainerName } from "../configs/recognize";
import type { ConfigForm } from "../configs/source/parse";
import { inapplicable, unknown, type Change } from "./outcome";
import { settings } from "./settings";
import type { SettingName } from "./settings/contract";

/** Known facts about a configuration. */
export interface SubjectParts {
  readonly trainer: TrainerName;
  readonly title: string;
  readonly form: ConfigForm;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly given: Given;
  /** Names whose value only a shell or a program knows. */
  readonly unresolved: readonly string[];
  /** The configuration's own trainer, if another trainer's reader reads it. */
  readonly dialect?: DialectName | undefined;
  /** Words besides the flags: commands of a script, or what a program in Python imports and passes. */
  readonly words?: readonly string[];
  /** Names whose values are defaults of a dialect or of a former release. */
  readonly assumed?: ReadonlySet<string>;
  /** Returns the configuration's own name of a flag of its reader; undefined if it has none. */
  readonly ownName?: (flag: string) => string | undefined;
  /** Its rule, or why there is none. */
  readonly read: ReadRule | string;
}

/** A rule, and what the configuration asks for besides. */
export interface ReadRule {
  readonly rule: Recipe;
  readonly without: readonly Without[];
}

/** A configuration as findings ask it: its rule, and its settings by what they mean. */
export class Subject {
  constructor(readonly parts: SubjectParts) {}

  get trainer(): TrainerName {
    return this.parts.trainer;
  }

  get title(): string {
    return this.parts.title;
  }

  /**
   * The rule that the configuration computes.
   *
   * @throws {Undecided} if it is none that can be read
   */
  get rule(): Recipe {
    return this.read.rule;
  }

  get read(): ReadRule {
    const { read } = this.parts;
    return typeof read === "string" ? unknown(`its rule could not be read: ${read}`) : read;
  }

  /** Whether a word is among those besides the flags. */
  mentions(word: string): boolean {
    return this.parts.words?.includes(word) ?? false;
  }

  /** Whether the trainer has such a setting. */
  has(name: SettingName): boolean {
    return settings[this.trainer][name] !== null;
  }

  /** Whether the configuration gives it. */
  gives(name: SettingName): boolean {
    return (
      settings[this.trainer][name]?.flags.some(
        (flag) => this.parts.given.has(flag) && this.parts.assumed?.has(flag) !== true,
      ) ?? false
    );
  }

  /** Whether it has the number that the trainer takes where none is given. */
  isDefault(name: SettingName): boolean {
    return this.number(name) === settings[this.trainer][name]?.initial;
  }

  /** Whether a change of it can be written in the configuration's own names. */
  canSet(name: SettingName): boolean {
    const source = settings[this.trainer][name];
    return source !== null && this.#own(this.flagOf(name)) !== undefined;
  }

  /** Whether the configuration has the very names of the trainer that reads it, and so its parts and their mistakes. */
  get hasBaseNames(): boolean {
    return this.#dialect?.names === undefined;
  }

  /** Name of the setting in the configuration's own trainer, if it has one. */
  #nameOf(name: SettingName): string {
    const flag = this.flagOf(name);
    return this.#own(flag) ?? flag;
  }

  #own(flag: string): string | undefined {
    return this.parts.ownName === undefined ? flag : this.parts.ownName(flag);
  }

  /** Name of the setting in the trainer. */
  flagOf(name: SettingName): string {
    const source = settings[this.trainer][name];
    if (source === null) return inapplicable(`${this.title} has no setting for it`);
    const given = source.flags.filter((flag) => this.parts.given.has(flag));
    // Frameworks that repeat a task in their own loop leave verl's number at 1.
    const own = name === "groupSize" ? given.find((flag) => this.parts.given.text(flag) !== "1") : undefined;
    return own ?? given[0] ?? source.flags[0]!;
  }

  /** @throws {Undecided} if it is no number, or nobody knows which */
  number(name: SettingName): number {
    return this.numberOrNull(name) ?? unknown(`${this.#nameOf(name)} is not given`);
  }

  /** @throws {Undecided} if nobody knows it */
  numberOrNull(name: SettingName): number | null {
    const { flag, initial } = this.#known(name);
    if (this.parts.given.text(flag) === null && !this.parts.given.has(flag) && typeof initial !== "number")
      return null;
    const value = this.parts.given.numberOrNull(flag, typeof initial === "number" ? initial : null);
    return value;
  }

  /** Whether it is on: true, or a word or a number that stands for something. */
  isOn(name: SettingName): boolean {
    const { flag, initial } = this.#known(name);
    const value = this.parts.given.has(flag)
      ? this.parts.given.text(flag)
      : initial === null
        ? null
        : String(initial);
    return value !== null && !/^(|0|0\.0|false|off|none|null)$/i.test(value.trim());
  }

  /** @throws {Undecided} if nobody knows it */
  text(name: SettingName): string | null {
    const { flag, initial } = this.#known(name);
    return this.parts.given.has(flag)
      ? this.parts.given.text(flag)
      : initial === null
        ? null
        : String(initial);
  }

  /** A setting as the configuration has it, with its default named as one: "beta=0.04", "rollout.n=1 (default)". */
  shown(name: SettingName): string {
    const { flag } = this.#known(name);
    const isGiven = this.parts.given.has(flag) && this.parts.assumed?.has(flag) !== true;
    const own = this.#own(flag);
    const text = this.text(name);
    const written = own === undefined ? undefined : this.#dialect?.written?.[own];
    return `${own ?? flag}=${(written ? String(written(text)) : text) ?? "null"}${isGiven ? "" : " (default)"}`;
  }

  /** The first of several ways to change it of which the trainer has every setting; none where it has no way. */
  either(...ways: readonly (readonly Change[])[]): readonly Change[] {
    return ways.find((way) => way.every(({ setting }) => this.canSet(setting))) ?? [];
  }

  /** Changes in the syntax of the trainer. */
  write(change: readonly Change[]): string[] {
    return change.flatMap(({ setting, value }) => {
      const own = this.#own(this.flagOf(setting));
      if (own === undefined) return [];
      const isCounted = setting === "minibatch" && this.#dialect?.countsRollouts === true;
      const counted = isCounted && typeof value === "number" ? value * this.number("groupSize") : value;
      return [this.#written(own, this.#dialect?.written?.[own]?.(counted) ?? counted)];
    });
  }

  get #dialect(): Dialect | undefined {
    const { dialect } = this.parts;
    return dialect === undefined ? undefined : dialects[dialect];
  }

  #written(name: string, value: FlagValue): string {
    const { trainer, form } = this.parts;
    const isTyped = this.#dialect?.isTyped === true && form === "launch script";
    const flag = isTyped ? name.replaceAll("_", "-") : name;
    if (isTyped || trainer === "openrlhf" || (trainer === "trl" && form === "launch script")) {
      if (value === null || value === false) return `leave out --${flag}`;
      if (value === true) return `--${flag}`;
      return `--${flag} ${typeof value === "object" ? value.join(" ") : value}`;
    }
    if (trainer === "prime-rl") return `${flag} = ${JSON.stringify(value)}`;
    const python = value === null ? "None" : value === true ? "True" : value === false ? "False" : undefined;
    if (trainer === "trl") {
      if (form === "YAML")
        return `${flag}: ${value === null ? "null" : Array.isArray(value) ? JSON.stringify(value) : String(value)}`;
      if (form === "JSON") return `"${flag}": ${JSON.stringify(value)}`;
      return `${flag}=${python ?? JSON.stringify(value)}`;
    }
    return `${flag}=${value === null ? "null" : (python ?? String(value))}`;
  }

  /** The name that counts. A value that only a shell knows is nobody's. */
  #known(name: SettingName): { readonly flag: string; readonly initial: FlagValue } {
    const flag = this.flagOf(name);
    const source = settings[this.trainer][name]!;
    const open = source.flags.find((one) => this.parts.unresolved.includes(one));
    if (open !== undefined && !this.parts.given.has(flag)) {
      return unknown(`the value of ${open} depends on what runs the configuration`);
    }
    if (!this.parts.given.has(flag) && source.initial === undefined) {
      return unknown(`${this.#nameOf(name)} is not given, and its default is not known`);
    }
    return { flag, initial: source.initial ?? null };
  }
}
