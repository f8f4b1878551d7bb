import { displaySymbol, type MimeBundle } from "./display";

/** Possible verdicts on a claim. */
export type VerdictKind =
  "holds" | "holds if" | "refuted" | "no effect that matters" | "not shown" | "too few seeds";

/** Parts of a verdict. */
export interface VerdictParts {
  readonly kind: VerdictKind;
  /** The verdict in words: the kind, or "holds if ..." with the settings in which it does. */
  readonly text: string;
  /** The figures that decided: effect, interval, smallest effect of interest, seeds. */
  readonly reason: string;
  /** Family of comparisons among which it was decided, such as "Holm over 12"; null for a single one. */
  readonly family: string | null;
}

let make: (parts: VerdictParts) => Verdict;

/**
 * The outcome of a claim, decided from data: what a row of a ledger holds. Only `verdict` and `verdicts` of `turnwise/verdict` make
 * one, so a row cannot state what was not computed.
 */
export class Verdict implements VerdictParts {
  readonly kind: VerdictKind;
  readonly text: string;
  readonly reason: string;
  readonly family: string | null;

  private constructor({ kind, text, reason, family }: VerdictParts) {
    this.kind = kind;
    this.text = text;
    this.reason = reason;
    this.family = family;
  }

  static {
    make = (parts) => new Verdict(parts);
  }

  toString(): string {
    return this.text;
  }

  /** Decision and method, as plain data. */
  toJSON(): VerdictParts {
    const { kind, text, reason, family } = this;
    return { kind, text, reason, family };
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const { text, reason, family } = this;
    return { "text/plain": `${text} (${[reason, ...(family === null ? [] : [family])].join("; ")})` };
  }
}

/** For `study/verdict` alone, which decides; a lint refuses it elsewhere. */
export function makeVerdict(parts: VerdictParts): Verdict {
  return make(parts);
}
