import { card } from "turnwise/internal/base/card";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import type { Recipe, RecipeOverrides } from "turnwise/internal/rule/index";
import type { FlagValues, Given, Without } from "./given";

/** The fields that flags stand for: all of a rule except its optimizer. */
export type Meaning = Required<Omit<RecipeOverrides, "variant" | "update" | "regulariser">> & {
  readonly update: { readonly epochs: number; readonly minibatches: number };
};

/** A trainer whose flags are read. */
export interface ReadTrainer {
  /** As it is written in sentences. */
  readonly title: string;
  /** The release whose defaults are assumed. */
  readonly version: string;
  /** Rule that follows from flags, defaults included. */
  readonly read: (given: Given) => Meaning;
  /** The group size that flags ask for. */
  readonly groupSize: (given: Given) => number;
  /** Learning rate and gradient clip, under the names of a rule. */
  readonly optimizer: (given: Given) => { learningRate?: number; maxGradNorm?: number | null };
  /** The names that its configurations have, of the rule or not. */
  readonly names: RegExp;
  /** The names that a configuration of a rule has at least one of. */
  readonly tells: RegExp;
  /** Words of a command that runs it. */
  readonly mentions: RegExp;
  /** Names of former releases, with those of today. */
  readonly formerNames?: Readonly<Record<string, string>>;
  /** Whether ratios are to the policy that sampled, so that they are not 1 in the first step on a batch. */
  readonly comparesWithSampler?: boolean;
  /** Whether another program samples, where a configuration decides that. Default: one does. */
  readonly hasEngine?: (given: Given) => boolean;
}

/** A trainer whose flags are written and read; its version is the one that tests run. */
export interface Trainer extends ReadTrainer {
  /** Ways to write a rule; the one that expresses most of it is taken. */
  readonly write: (rule: Recipe, groupSize: number) => readonly FlagValues[];
  /** Why a field cannot be expressed, or what expresses it elsewhere; by the field's path or the start of it. */
  readonly hints: Readonly<Record<string, string>>;
  /** The flags as they are typed. */
  readonly text: (flags: FlagValues) => string;
}

/** A field of a rule that a framework cannot express. */
export interface Unsupported {
  /** Its path in the rule. */
  readonly field: string;
  /** The rule's value. */
  readonly expected: string;
  /** The framework's value instead. */
  readonly actual: string;
  readonly why?: string;
}

/** A rule as flags of a framework, and what they leave out. */
export class FrameworkFlags {
  constructor(
    /** The framework. */
    readonly framework: string,
    /** The version of its package that this was checked against. */
    readonly version: string,
    /** The rule that was given. */
    readonly rule: Recipe,
    /** Names and values. */
    readonly flags: FlagValues,
    /** The fields that the flags cannot express. Empty: the framework computes this rule. */
    readonly unsupported: readonly Unsupported[],
    /** Further behavior of the framework, which no field expresses. */
    readonly notes: readonly string[],
    /** The rule that the framework computes with these flags. */
    readonly computed: Recipe,
    /** The flags as they are typed. */
    readonly text: string,
  ) {}

  /** @deprecated Use `rule`. */
  get row(): Recipe {
    return this.rule;
  }

  /** @deprecated Use `computed`. */
  get does(): Recipe {
    return this.computed;
  }

  /** @deprecated Use `unsupported`. */
  get cannot(): { cell: string; wanted: string; does: string; why?: string }[] {
    return this.unsupported.map(({ field: cell, expected: wanted, actual: does, ...rest }) => ({
      cell,
      wanted,
      does,
      ...rest,
    }));
  }

  /** @deprecated Use `notes`. */
  get besides(): readonly string[] {
    return this.notes;
  }

  /** The flags, and what they leave open as comments: it can be pasted as it is. */
  toString(): string {
    const said = [
      `${this.rule.name} for ${this.framework} ${this.version}`,
      ...this.unsupported.map(
        ({ field, expected, actual, why }) =>
          `unsupported: ${field} is ${expected} in the rule, ${actual} in ${this.framework}${why ? ` (${why})` : ""}`,
      ),
      ...this.notes.map((text) => `note: ${text}`),
    ];
    return [...said.map((line) => `# ${line}`), this.text].join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return card({
      title: `${this.rule.name} for ${this.framework} ${this.version}`,
      about:
        this.unsupported.length === 0
          ? `${this.framework} expresses every field of the rule.`
          : `Fields that ${this.framework} cannot express:`,
      head: ["field", "rule", this.framework, "why"],
      rows: this.unsupported.map(({ field, expected, actual, why = "" }) => [field, expected, actual, why]),
      picture: { html: `<pre>${escaped(this.text)}</pre>`, text: this.text },
      note: this.notes.join("; "),
    })[displaySymbol]();
  }
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** A configuration of a framework as a rule. */
export class ReadConfig {
  constructor(
    /** The rule that it computes. Its name is that of the closest rule of the table. */
    readonly recipe: Recipe,
    /** Number of trajectories that begin with one task. */
    readonly groupSize: number,
    /** Flags that are not part of the rule. */
    readonly unused: readonly string[],
    /** Requests that no field expresses. */
    readonly without: readonly Without[],
    /** Behavior of the framework in every configuration of this kind, which no field expresses. */
    readonly notes: readonly string[],
    /** The fields in which it differs from the rule of the table whose name it has. */
    readonly differences: readonly { readonly field: string; readonly values: readonly string[] }[],
    /** The trainer whose configuration it is. */
    readonly framework: string,
    /** The release whose defaults are assumed. */
    readonly version: string,
    /** Consequences of the configuration that may be unintended, and parts of it that could not be read. */
    readonly warnings: readonly string[],
  ) {}

  /** @deprecated Use `notes`. */
  get besides(): readonly string[] {
    return this.notes;
  }

  /** The rule's name, the fields in which it differs, and what was not read, a line each. */
  toString(): string {
    return [
      `The closest rule is ${this.recipe.name}${this.differences.length === 0 ? ", in every field" : ""}; groups of ${this.groupSize}`,
      `read as a configuration of ${this.framework}, with the defaults of ${this.version}`,
      ...this.warnings.map((text) => `note: ${text}`),
      ...this.differences.map(({ field, values: [usual, here] }) => `${field}: ${here} instead of ${usual}`),
      ...this.without.map(({ flag, does }) => `no field expresses ${flag}: ${does}`),
      ...this.notes.map((text) => `note: ${text}`),
      ...(this.unused.length > 0 ? [`not part of the rule: ${this.unused.join(", ")}`] : []),
    ].join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { "text/plain": this.toString() };
  }
}
