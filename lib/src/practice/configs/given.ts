import { show } from "../../base/show";
import { didYouMean } from "../../base/suggest";

/** A value that a flag may have. */
export type FlagValue = string | number | boolean | null | readonly (number | string)[];

/** Flags by their names. */
export type FlagValues = Readonly<Record<string, FlagValue>>;

/** Something that a framework does and that no cell of a row says. */
export interface Without {
  readonly flag: string;
  readonly does: string;
  /** The cell that comes nearest, where there is one. */
  readonly cell?: string;
}

/** Flags as they are read: it remembers which were looked at, and what they mean beyond the cells of a row. */
export class Given {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #what: string;
  readonly #used = new Set<string>();
  readonly besides: string[] = [];
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

  number(name: string, initial: number): number {
    return this.numberOrNull(name, initial) ?? this.#refuse(name, "a number");
  }

  numberOrNull(name: string, initial: number | null): number | null {
    const value = this.#at(name) === undefined ? initial : this.#at(name);
    if (value === null || (typeof value === "number" && !Number.isNaN(value))) return value;
    return this.#refuse(name, "a number");
  }

  /** A pair of numbers, or nothing. */
  pair(name: string): readonly [number, number] | undefined {
    const value = this.#at(name);
    if (value === undefined || value === null) return undefined;
    if (Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number")) {
      return value as unknown as [number, number];
    }
    return this.#refuse(name, "a pair of numbers");
  }

  flag(name: string, initial: boolean): boolean {
    const value = this.#at(name) ?? initial;
    return typeof value === "boolean" ? value : this.#refuse(name, "true or false");
  }

  /** A text, or what stands for one; null where there is none. */
  text(name: string): string | null {
    const value = this.#at(name) ?? null;
    return value === null || typeof value === "string" ? value : String(value as number);
  }

  word<W extends string>(name: string, words: readonly W[], initial: W): W {
    const value = this.#at(name) ?? initial;
    if (words.includes(value as W)) return value as W;
    throw new RangeError(
      `Cannot read ${this.#what} as ${name} must be one of ${words.join(", ")}: current value is ` +
        `${show(value)}${didYouMean(String(value), words)}`,
    );
  }

  #at(name: string): unknown {
    this.#used.add(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  #refuse(name: string, must: string): never {
    throw new TypeError(
      `Cannot read ${this.#what} as ${name} must be ${must}: current value is ${show(this.#at(name))}`,
    );
  }
}

/** A number without the dust of floating point: 1.2 - 1 is 0.2. */
export const tidy = (x: number): number => Number(x.toPrecision(12));

/** A bound that no ratio meets: log-ratios end at 20 nats in verl and OpenRLHF, and e^20 is 4.9e8; TRL has no such end. */
export const UNBOUNDED = 1e9;

export const unbounded = (bound: number): boolean => bound >= UNBOUNDED;
