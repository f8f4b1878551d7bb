import { card } from "turnwise/internal/base/card";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import type { Recipe } from "turnwise/internal/rule/index";
import type { ReadConfig } from "../configs/contract";
import type { DialectName } from "../configs/dialects";
import type { TrainerName } from "../configs/recognize";
import type { Change, Confidence, Severity } from "./outcome";
import type { FindingId } from "./findings";
import type { Subject } from "./subject";

/** A finding that was seen in a configuration. */
export interface Found {
  readonly id: FindingId;
  readonly title: string;
  readonly why: string;
  readonly source: string;
  readonly lesson: string;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly evidence: string;
  readonly change: readonly Change[];
  /** The change in the trainer's own syntax. */
  readonly instead: readonly string[];
  readonly advice: string | undefined;
}

/** A finding that was neither seen nor excluded. */
export interface Open {
  readonly id: FindingId;
  readonly title: string;
  readonly why: string;
}

interface Parts {
  readonly trainer: TrainerName;
  readonly dialect: DialectName | undefined;
  readonly title: string;
  readonly version: string;
  readonly names: LintReport["names"];
  readonly subject: Subject;
  /** Its rule, whose nearest kin takes a while to find; or why there is none. */
  readonly read: (() => ReadConfig) | string;
  readonly found: readonly Found[];
  readonly undecided: readonly Open[];
  readonly clear: readonly FindingId[];
  readonly inapplicable: readonly Open[];
}

/** Findings in a configuration, the worst first, and questions that could not be decided. */
export class LintReport {
  /** The trainer by whose reader it was read. */
  readonly trainer: TrainerName;
  /** The configuration's own trainer, if it is another one. */
  readonly dialect: DialectName | undefined;
  readonly title: string;
  /** The release whose defaults are assumed. */
  readonly version: string;
  /** Number of its names that belong to a rule of the trainer. */
  readonly names: {
    readonly telling: number;
    readonly of: number;
    /** Reason for the guess, if the settings of another trainer are read by this one's reader; else empty. */
    readonly why: string;
  };
  /** The configuration as findings ask it. */
  readonly subject: Subject;
  readonly found: readonly Found[];
  /** Questions that the configuration leaves open, each with the reason. */
  readonly undecided: readonly Open[];
  /** Findings that were looked for and are absent. */
  readonly clear: readonly FindingId[];
  /** Findings that cannot occur with this rule or trainer, each with the reason. */
  readonly inapplicable: readonly Open[];
  readonly #read: (() => ReadConfig) | string;
  #config: ReadConfig | undefined;

  constructor({
    trainer,
    dialect,
    title,
    version,
    names,
    subject,
    read,
    found,
    undecided,
    clear,
    inapplicable,
  }: Parts) {
    this.trainer = trainer;
    this.dialect = dialect;
    this.title = title;
    this.version = version;
    this.names = names;
    this.subject = subject;
    this.found = found;
    this.undecided = undecided;
    this.clear = clear;
    this.inapplicable = inapplicable;
    this.#read = read;
  }

  /** Why its rule could not be read; undefined where it was. */
  get unread(): string | undefined {
    return typeof this.#read === "string" ? this.#read : undefined;
  }

  /** The configuration as a rule of the table; undefined where that could not be read. */
  get config(): ReadConfig | undefined {
    if (typeof this.#read === "string") return undefined;
    try {
      return (this.#config ??= this.#read());
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      // Such as a step size that is no number: the rule is known, and cannot be compared with those of the table.
      return undefined;
    }
  }

  /** The rule that it computes, by the name of the nearest of the table; undefined where that could not be read. */
  get rule(): Recipe | undefined {
    return this.config?.recipe;
  }

  /** Parts that could not be read, and consequences of the configuration. */
  get warnings(): readonly string[] {
    return this.config?.warnings ?? [];
  }

  toString(): string {
    return [
      this.#headline(),
      ...this.found.flatMap(
        ({ severity, confidence, title, evidence, why, instead, advice, source, lesson }) => [
          `${severity} (${confidence}): ${title}: ${evidence}`,
          `  ${why}`,
          ...(instead.length > 0 ? [`  write: ${instead.join("  ")}`] : []),
          ...(advice === undefined ? [] : [`  ${advice}`]),
          `  ${source}; lesson ${lesson}`,
        ],
      ),
      ...this.undecided.map(({ title, why }) => `not decided: ${title}: ${why}`),
    ].join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return card({
      title: this.#headline(),
      head: ["", "what is seen", "why", "write instead", "source"],
      rows: this.found.map(({ severity, title, evidence, why, instead, advice, source, lesson }) => [
        severity,
        `${title}: ${evidence}`,
        why,
        [...instead, ...(advice === undefined ? [] : [advice])].join("\n"),
        `${source}; lesson ${lesson}`,
      ]),
      note: this.undecided.map(({ title, why }) => `Not decided: ${title}: ${why}.`).join(" "),
    })[displaySymbol]();
  }

  #headline(): string {
    const rule = this.rule === undefined ? "its rule could not be named" : `nearest rule ${this.rule.name}`;
    return (
      `A configuration of ${this.title} (defaults of ${this.version}), ${rule}: ${this.found.length} findings, ` +
      `${this.clear.length} looked for and absent, ${this.undecided.length} not decided`
    );
  }
}
