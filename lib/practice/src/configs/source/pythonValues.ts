import { statementsOf } from "./pythonText";

/** A number, a text, True, False, None, or a list of numbers or texts; undefined for all else. */
export function literalOf(text: string): unknown {
  const quoted = /^(["'])((?:(?!\1)[^\\])*)\1$/.exec(text);
  if (quoted) return quoted[2];
  if (text === "None") return null;
  if (text === "True" || text === "False") return text === "True";
  const list = /^[[(](.*?),? ?[\])]$/.exec(text);
  if (list) {
    const items = list[1]!.trim() === "" ? [] : list[1]!.split(",").map((item) => literalOf(item.trim()));
    return items.some((item) => item === undefined) ? undefined : items;
  }
  const value = /^[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)
    ? Number(text.replace(/_/g, ""))
    : NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** Names that a program sets once, at its outermost level, to a literal. */
export function constantsOf(text: string): ReadonlyMap<string, unknown> {
  // An argument of a call that is named like a variable does not set it.
  const assignment = /^([ \t]*)([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?([-+*/]?=)(?!=)[ \t]*/gm;
  const set = [...statementsOf(text).matchAll(assignment)];
  const times = new Map<string, number>();
  for (const [, , name] of set) times.set(name!, (times.get(name!) ?? 0) + 1);
  const constants = new Map<string, unknown>();
  for (const { 0: left, 1: indent, 2: name, 3: sign, index } of set) {
    if (indent !== "" || sign !== "=" || times.get(name!) !== 1) continue;
    const value = /^[ \t]*([^#\n]*)/.exec(text.slice(index + left.trimEnd().length))![1]!;
    const literal = valueOf(value.trim(), constants);
    if (literal !== undefined) constants.set(name!, literal);
  }
  return constants;
}

/** The value of an expression of literals and constants; undefined where it has anything else. */
export function valueOf(text: string, constants: ReadonlyMap<string, unknown>): unknown {
  const literal = literalOf(text);
  if (literal !== undefined) return literal;
  if (constants.has(text)) return constants.get(text);
  return new Sum(text, constants).value;
}

/** Reads sums and products of numbers and constants. */
class Sum {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(
    text: string,
    private readonly constants: ReadonlyMap<string, unknown>,
  ) {
    const tokens = text.match(/\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\/\/|[-+*/()]|\S/g) ?? [];
    this.#tokens = tokens;
  }

  get value(): number | undefined {
    const value = this.#sum();
    return this.#at < this.#tokens.length || !Number.isFinite(value) ? undefined : value;
  }

  #sum(): number {
    let value = this.#product();
    for (let sign = this.#tokens[this.#at]; sign === "+" || sign === "-"; sign = this.#tokens[this.#at]) {
      this.#at += 1;
      const next = this.#product();
      value = sign === "+" ? value + next : value - next;
    }
    return value;
  }

  #product(): number {
    let value = this.#one();
    for (let sign = this.#tokens[this.#at]; /^(\*|\/\/?)$/.test(sign ?? ""); sign = this.#tokens[this.#at]) {
      this.#at += 1;
      const next = this.#one();
      value = sign === "*" ? value * next : sign === "/" ? value / next : Math.floor(value / next);
    }
    return value;
  }

  #one(): number {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === "(") {
      const value = this.#sum();
      const closes = this.#tokens[this.#at] === ")";
      this.#at += 1;
      return closes ? value : NaN;
    }
    if (token === "-") return -this.#one();
    const known = token === undefined ? undefined : (literalOf(token) ?? this.constants.get(token));
    return typeof known === "number" ? known : NaN;
  }
}
