import { power } from "../../base/elementary/power";

/** A calculation and what it is worth. */
export interface Evaluated {
  readonly value: number;
  /** Multiplications and additions that it takes by hand. */
  readonly steps: number;
  readonly modulus: number | undefined;
}

/** Results without a modulus stop here; numbers have at most four digits. */
const LIMIT = 1_000_000;
const MAX_DIGITS = 4;

/** base^exponent mod modulus, by squaring. Exact for moduli below 2^26. */
export function powMod(base: number, exponent: number, modulus: number): number {
  let result = 1 % modulus;
  let square = base % modulus;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** Multiplications of square-and-multiply: one per squaring, one per further set bit. */
export function powSteps(exponent: number): number {
  if (exponent === 0) return 0;
  const bits = exponent.toString(2);
  return bits.length - 1 + [...bits].filter((bit) => bit === "1").length - 1;
}

/**
 * Evaluates `sum ["mod" number]`, where sum = product { "+" product }, product = power { "*" power },
 * power = number [ "^" number ], and a number is written digit by digit.
 *
 * Returns a text that starts with the name of the error for what cannot be evaluated.
 */
export function evaluate(words: readonly string[]): Evaluated | string {
  const tokens = joinDigits(words);
  if (typeof tokens === "string") return tokens;
  const mod = tokens.indexOf("mod");
  const modulus = mod < 0 ? undefined : tokens[mod + 1];
  if (mod >= 0 && (mod !== tokens.length - 2 || typeof modulus !== "number")) {
    return "SyntaxError: mod takes one number, at the end";
  }
  if (modulus === 0) return "ZeroDivisionError: modulo by zero";
  return new Evaluation(mod < 0 ? tokens : tokens.slice(0, mod), modulus as number | undefined).run();
}

type Token = number | string;

function joinDigits(words: readonly string[]): Token[] | string {
  const tokens: Token[] = [];
  let digits = "";
  for (const word of [...words, ""]) {
    if (/^\d$/.test(word)) {
      digits += word;
      continue;
    }
    if (digits.length > MAX_DIGITS) return `OverflowError: a number has at most ${MAX_DIGITS} digits`;
    if (digits) tokens.push(Number(digits));
    digits = "";
    if (word) tokens.push(word);
  }
  return tokens;
}

class Evaluation {
  #at = 0;
  #steps = 0;
  #overflow = false;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly modulus: number | undefined,
  ) {}

  run(): Evaluated | string {
    const value = this.#chain("+", () => this.#chain("*", () => this.#power()));
    if (value === undefined || this.#at < this.tokens.length) {
      return `SyntaxError: cannot read word ${Math.min(this.#at, this.tokens.length) + 1}`;
    }
    if (this.#overflow) return `OverflowError: results without mod stay below ${LIMIT}`;
    return { value, steps: this.#steps, modulus: this.modulus };
  }

  #reduce(value: number): number {
    if (this.modulus !== undefined) return value % this.modulus;
    if (value >= LIMIT) this.#overflow = true;
    return Math.min(value, LIMIT);
  }

  #chain(operator: "+" | "*", next: () => number | undefined): number | undefined {
    let value = next();
    while (value !== undefined && this.tokens[this.#at] === operator) {
      this.#at++;
      const right = next();
      if (right === undefined) return undefined;
      value = this.#reduce(operator === "+" ? value + right : value * right);
      this.#steps++;
    }
    return value;
  }

  #number(): number | undefined {
    const token = this.tokens[this.#at];
    if (typeof token !== "number") return undefined;
    this.#at++;
    return token;
  }

  #power(): number | undefined {
    const base = this.#number();
    if (base === undefined || this.tokens[this.#at] !== "^") return base && this.#reduce(base);
    this.#at++;
    const exponent = this.#number();
    if (exponent === undefined) return undefined;
    this.#steps += powSteps(exponent);
    if (this.modulus !== undefined) return powMod(base, exponent, this.modulus);
    return this.#reduce(base < 2 && exponent > 0 ? base : power(base, exponent));
  }
}
