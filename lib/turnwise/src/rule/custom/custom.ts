import { textOfData } from "../../base/functionText";
import { show } from "../../base/show";

/** Description of a custom function; `explain(rule)` prints it. */
export interface CustomAbout {
  /** One sentence: what it does. */
  readonly help?: string;
  /** LaTeX, without delimiters. */
  readonly equation?: string;
  /** A paper or repository that a reader can open. */
  readonly source?: string;
}

/**
 * Any function. Where `custom(...)` stands in a rule, its parameters are inferred from the field; where it stands alone
 * nothing tells them, and `any` lets it go into every field.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyFunction = (...args: any[]) => unknown;

/** Accepted forms of a custom field: a function, or several by name, such as an objective and its slope. */
export type CustomForm = AnyFunction | object;

/** As a rule is written to a file: the function itself cannot be. */
export interface CustomLine {
  readonly custom: string;
}

/** Tells a `Custom` of another copy of this library as well, which a module beside a notebook may have loaded. */
const mark = Symbol.for("turnwise.custom");

/** A function of the caller's in a field of a rule, with the name by which tables, charts and checkpoints know it. */
export class Custom<F extends CustomForm = CustomForm> {
  readonly label: string;
  readonly help: string;
  readonly equation: string;
  readonly source: string;
  readonly apply: F;

  constructor(label: string, apply: F, { help = "", equation = "", source = "" }: CustomAbout) {
    this.label = label;
    this.help = help;
    this.equation = equation;
    this.source = source;
    this.apply = apply;
    Object.defineProperty(this, mark, { value: true });
    Object.freeze(this);
  }

  /** Its name alone: reading the rule back asks for the function. */
  toJSON(): CustomLine {
    return { custom: this.label };
  }

  toString(): string {
    return this.label;
  }
}

/** The text of the function, or of the functions by name. What they read from outside of themselves is not in it. */
export const textOf = ({ apply }: Custom): string => textOfData(apply);

const isForm = (f: unknown): f is CustomForm =>
  typeof f === "function" ||
  (typeof f === "object" && f !== null && Object.values(f).some((one) => typeof one === "function"));

/** Whether a value is a function with a name, as `custom` makes it. */
export const isCustom = (value: unknown): value is Custom =>
  typeof value === "object" && value !== null && mark in value;

/**
 * Names a function for a field of a rule: what `custom` does.
 *
 * @throws {TypeError} if the label is no text or empty, or `f` is not a function
 */
export function labeled<F extends CustomForm>(
  label: string,
  f: F,
  about: string | CustomAbout = {},
): Custom<F> {
  if (typeof label !== "string" || label.trim() === "") {
    throw new TypeError(
      `Cannot name a custom function: its label must be a non-empty string, got ${show(label)}.`,
    );
  }
  if (!isForm(f)) {
    throw new TypeError(
      `Cannot name a custom function: custom("${label}", f) needs a function f, got ${show(f)}.`,
    );
  }
  return new Custom(label, f, typeof about === "string" ? { help: about } : about);
}
