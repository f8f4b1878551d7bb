import { card } from "turnwise/internal/base/card";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import type { Recipe, RecipeOverrides } from "turnwise/internal/rule/index";
import type { FlagValues, Given, Without } from "./given";

/** The cells that flags stand for: all of a row but for its optimizer. */
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
  /** Step size and clip of gradients, by the names of a row. */
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
  /** Ways to say a row, of which the one that says most is taken. */
  readonly write: (row: Recipe, groupSize: number) => readonly FlagValues[];
  /** Why a cell cannot be said, or what says it elsewhere; by the cell's path or the beginning of it. */
  readonly hints: Readonly<Record<string, string>>;
  /** The flags as they are typed. */
  readonly text: (flags: FlagValues) => string;
}

/** A cell of a row that a framework cannot express. */
export interface Cannot {
  /** Its path in the row. */
  readonly cell: string;
  readonly wanted: string;
  /** Behavior of the framework instead. */
  readonly does: string;
  readonly why?: string;
}

/** A row as flags of a framework, and how far they say it. */
export class FrameworkFlags {
  constructor(
    /** The framework. */
    readonly framework: string,
    /** The version of its package that this was checked against. */
    readonly version: string,
    /** The row that is meant. */
    readonly row: Recipe,
    /** Names and values. */
    readonly flags: FlagValues,
    /** The cells that the flags do not say. Empty: the framework computes this row. */
    readonly cannot: readonly Cannot[],
    /** Further behavior of the framework, which no field expresses. */
    readonly besides: readonly string[],
    /** The row that the framework computes with these flags. */
    readonly does: Recipe,
    /** The flags as they are typed. */
    readonly text: string,
  ) {}

  /** The flags, and what they leave open as comments: it can be pasted as it is. */
  toString(): string {
    const said = [
      `${this.row.name} for ${this.framework} ${this.version}`,
      ...this.cannot.map(
        ({ cell, wanted, does, why }) =>
          `cannot: ${cell} is ${wanted}; does ${does}${why ? ` (${why})` : ""}`,
      ),
      ...this.besides.map((text) => `besides: ${text}`),
    ];
    return [...said.map((line) => `# ${line}`), this.text].join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return card({
      title: `${this.row.name} for ${this.framework} ${this.version}`,
      about: this.cannot.length === 0 ? "Every cell of the row is said." : "Cells that it cannot express:",
      head: ["cell", "wanted", "does", "why"],
      rows: this.cannot.map(({ cell, wanted, does, why = "" }) => [cell, wanted, does, why]),
      picture: { html: `<pre>${escaped(this.text)}</pre>`, text: this.text },
      note: this.besides.join("; "),
    })[displaySymbol]();
  }
}

const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** A configuration of a framework as a row. */
export class ReadConfig {
  constructor(
    /** The row that it computes. Its name is that of the nearest row of the table. */
    readonly recipe: Recipe,
    /** Number of trajectories that begin with one task. */
    readonly groupSize: number,
    /** Flags that say nothing of the rule. */
    readonly unused: readonly string[],
    /** Requests that no field expresses. */
    readonly without: readonly Without[],
    /** Behavior of the framework in every configuration of this kind, which no field expresses. */
    readonly besides: readonly string[],
    /** The cells in which it is not the row of the table whose name it has. */
    readonly differences: readonly { readonly cell: string; readonly values: readonly string[] }[],
    /** The trainer whose configuration it is. */
    readonly framework: string,
    /** The release whose defaults are assumed. */
    readonly version: string,
    /** Consequences of the configuration that may be unintended, and parts of it that could not be read. */
    readonly warnings: readonly string[],
  ) {}

  /** The row's name, the cells in which it differs, and what was not read, a line each. */
  toString(): string {
    return [
      `The nearest row is ${this.recipe.name}${this.differences.length === 0 ? ", in every cell" : ""}; groups of ${this.groupSize}`,
      `read as a configuration of ${this.framework}, with the defaults of ${this.version}`,
      ...this.warnings.map((text) => `note: ${text}`),
      // eslint-disable-next-line house/retired-words -- Stored outputs of lessons have these words.
      ...this.differences.map(({ cell, values: [row, here] }) => `${cell}: ${here} in the place of ${row}`),
      ...this.without.map(({ flag, does }) => `no cell says ${flag}: ${does}`),
      ...this.besides.map((text) => `besides: ${text}`),
      ...(this.unused.length > 0 ? [`not of the rule: ${this.unused.join(", ")}`] : []),
    ].join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return { "text/plain": this.toString() };
  }
}
