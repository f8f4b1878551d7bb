import { show } from "turnwise/internal/base/show";
import { didYouMean } from "turnwise/internal/base/suggest";

/** OmegaConf's word for a value that must still be given. */
const MISSING = "???";

/** A value that a flag may have. */
export type FlagValue = string | number | boolean | null | readonly (number | string)[];

/** Flags by their names. */
export type FlagValues = Readonly<Record<string, FlagValue>>;

/** The number that a flag is given; undefined where it is none. */
export const numberOf = (value: FlagValue | undefined): number | undefined =>
  value === undefined || value === null || value === "" || Number.isNaN(Number(value))
    ? undefined
    : Number(value);

/** Behavior of a framework that no field of a rule expresses. */
export interface Without {
  readonly flag: string;
  readonly does: string;
  /** Closest field, where there is one. */
  readonly field?: string;
}

/** Flags as they are read: it remembers which were looked at, and what they mean beyond the fields of a rule. */
export class Given {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #what: string;
  readonly #used = new Set<string>();
  readonly notes: string[] = [];
  readonly without: Without[] = [];

  constructor(values: Readonly<Record<string, unknown>>, what: string) {
    this.#values = values;
    this.#what = what;
  }

  /** Names of the flags that nobody has asked for. */
  get unused(): string[] {
    return Object.keys(this.#values).filter((name) => !this.#used.has(name));
  }

  has(name: string): boolean {
    return this.#at(name) !== undefined;
  }

  /** Whether anybody has asked for a flag, given or not. */
  wasAsked(name: string): boolean {
    return this.#used.has(name);
  }

  number(name: string, initial: number): number {
    // Nothing said is the default.
    return this.numberOrNull(name, initial) ?? initial;
  }

  numberOrNull(name: string, initial: number | null): number | null {
    const value = this.#at(name) === undefined ? initial : this.#at(name);
    if (value === null || (typeof value === "number" && !Number.isNaN(value))) return value;
    const read = typeof value === "string" ? numberIn(value) : undefined;
    return read === undefined ? this.#refuse(name, "a number") : read;
  }

  /** A pair of numbers, or nothing. */
  pair(name: string): readonly [number, number] | undefined {
    const value = this.#at(name);
    if (value === undefined || value === null || isNull(value)) return undefined;
    const listed =
      typeof value === "string"
        ? value
            .replace(/[[\]()]/g, " ")
            .trim()
            .split(/[\s,]+/)
        : value;
    if (Array.isArray(listed) && listed.length === 2) {
      const numbers = listed.map((one) => (typeof one === "string" ? numberIn(one) : (one as unknown)));
      if (numbers.every((one) => typeof one === "number")) return numbers as unknown as [number, number];
    }
    if (Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number")) {
      return value as unknown as [number, number];
    }
    return this.#refuse(name, "a pair of numbers");
  }

  flag(name: string, initial: boolean): boolean {
    const value = this.#at(name) ?? initial;
    if (typeof value === "boolean") return value;
    // Python and bash write it as text.
    const word = typeof value === "string" ? value.trim().toLowerCase() : value;
    if (word === "true" || word === "1" || word === 1) return true;
    if (word === "false" || word === "0" || word === 0) return false;
    return isNull(value) ? initial : this.#refuse(name, "true or false");
  }

  /** A text, or what stands for one; null where there is none. */
  text(name: string): string | null {
    const value = this.#at(name) ?? null;
    if (isNull(value)) return null;
    return value === null || typeof value === "string" ? value : String(value as number);
  }

  word<W extends string>(name: string, words: readonly W[], initial: W): W {
    const given = this.#at(name) ?? initial;
    const value = typeof given === "string" ? given.trim() : given;
    if (words.includes(value as W)) return value as W;
    if (isNull(value)) return initial;
    throw new RangeError(
      `Cannot read ${this.#what}: ${name} must be one of ${words.join(", ")}, got ` +
        `${show(value)}.${didYouMean(String(value), words)}`,
    );
  }

  #at(name: string): unknown {
    this.#used.add(name);
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    return value === MISSING ? undefined : value;
  }

  #refuse(name: string, must: string): never {
    throw new TypeError(`Cannot read ${this.#what}: ${name} must be ${must}, got ${show(this.#at(name))}.`);
  }
}

/** Whether it is null in Python or hydra; "none" is a word of TRL's. */
const isNull = (value: unknown): boolean => typeof value === "string" && /^\s*(null|None|~)\s*$/.test(value);

/** A number that is written as text, null where it says nothing, undefined where it is none. */
function numberIn(text: string): number | null | undefined {
  if (isNull(text)) return null;
  const value = text.trim() === "" ? NaN : Number(text.trim().replace(/(?<=\d)_(?=\d)/g, ""));
  return Number.isNaN(value) ? undefined : value;
}

/** A number without the dust of floating point: 1.2 - 1 is 0.2. */
export const tidy = (x: number): number => Number(x.toPrecision(12));

/** A bound that no ratio meets: log-ratios end at 20 nats in verl and OpenRLHF, and e^20 is 4.9e8; TRL has no such end. */
export const UNBOUNDED = 1e9;

export const unbounded = (bound: number): boolean => bound >= UNBOUNDED;
