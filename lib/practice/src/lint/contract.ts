import type { Confidence, Outcome, Severity } from "./outcome";
import type { Subject } from "./subject";

export {
  clear,
  found,
  ifKnown,
  inapplicable,
  unknown,
  Undecided,
  type Change,
  type Confidence,
  type Outcome,
  type Severity,
} from "./outcome";

/** Something that a configuration does and that may not be meant. */
export interface Finding {
  readonly title: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** In a sentence or two. */
  readonly why: string;
  /** Papers, threads and documents. */
  readonly source: string;
  /** The notebook that shows it. */
  readonly lesson: string;
  /** @throws {Undecided} where the configuration does not say enough, or the question does not arise */
  readonly check: (subject: Subject) => Outcome;
}
