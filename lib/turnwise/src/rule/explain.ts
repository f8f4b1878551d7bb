import { displaySymbol, type MimeBundle } from "../base/display";
import { citations } from "./citations";
import { compareRecipes } from "./compare";
import { evidence, type Citation } from "./evidence";
import type { RecipeNameInput } from "./deprecatedNames";
import { measuredOnLookUp } from "./measured";
import { measuredUpdates } from "./measuredUpdates";
import { customFunctions } from "./custom/customFunctions";
import type { Recipe } from "./recipe";
import { recipe } from "./recipes";
import { tableCells, tableColumns } from "./table";

/** A rule with its equation, fields, source and departures; a notebook shows it as text with formulas. */
export class Explanation implements Citation {
  readonly title: string;
  readonly equation: string;
  readonly source: string;
  readonly deviations: readonly string[];
  readonly shown: readonly string[];

  constructor(readonly rule: Recipe) {
    ({
      title: this.title,
      equation: this.equation,
      source: this.source,
      deviations: this.deviations,
    } = citations[rule.name]);
    const reached = measuredOnLookUp[rule.name]?.map((J) => J.toFixed(3)).join(", ");
    const update = measuredUpdates[rule.name];
    const judged =
      update &&
      `bias ${update.bias === Infinity ? "infinite (somewhere it expects no step uphill)" : update.bias}, cosine with the exact gradient ${update.cosine}, ` +
        `gain ${update.gain} of the exact gradient's, J falls in ${update.falls} of the updates`;
    this.shown = [
      ...citations[rule.name].shown,
      `Report card (REPORT-CARD.md), means over small worlds, groups of 8: ${judged ?? "not measured yet"}`,
      `LookUp-v0 (optimum 1), default settings, 150 updates of 64 trajectories, seeds 1-5: exact return ${reached ?? "not measured yet, run npm run generated"}`,
    ];
  }

  /** @deprecated Use `rule`. */
  get row(): Recipe {
    return this.rule;
  }

  toString(): string {
    const list = (head: string, items: readonly string[]): string[] =>
      items.length === 0 ? [] : [`${head}:`, ...items.map((item) => `- ${item}`)];
    return [
      `${this.title} (${this.rule.name})`,
      ...this.#cells().map(([name, cell]) => `  ${name}: ${cell}`),
      `Source: ${this.source}`,
      ...list(
        "Functions of your own",
        this.#own((equation) => equation),
      ),
      ...list("Departures", this.deviations),
      ...list("Shown here", this.shown),
      ...this.#tags().map(([tag, meaning]) => `[${tag}] ${meaning}`),
      this.#onward((code) => code),
    ].join("\n");
  }

  [displaySymbol](): MimeBundle {
    const list = (head: string, items: readonly string[]): string[] =>
      items.length === 0 ? [] : [`**${head}**`, items.map((item) => `- ${item}`).join("\n")];
    const markdown = [
      `**${this.title}** (\`${this.rule.name}\`)`,
      `$$${this.equation}$$`,
      ["| choice | value |", "| --- | --- |", ...this.#cells().map(([k, v]) => `| ${k} | ${v} |`)].join("\n"),
      `**Source** ${this.source}`,
      ...list(
        "Functions of your own",
        this.#own((equation) => `$${equation}$`),
      ),
      ...list("Departures", this.deviations),
      ...list("Shown here", this.shown),
      this.#tags()
        .map(([tag, meaning]) => `[${tag}] ${meaning}`)
        .join("; "),
      this.#onward((code) => `\`${code}\``),
    ].join("\n\n");
    return { "text/markdown": markdown, "text/plain": this.toString() };
  }

  #cells(): [string, string][] {
    const cells = tableCells(this.rule);
    return tableColumns.slice(1).map((name, k) => [name, cells[k + 1]!]);
  }

  /** Link to its measurements: the page has the rules of the table, any other is measured by the reader. */
  #onward(code: (text: string) => string): string {
    const { rule } = this;
    return compareRecipes(recipe(rule.name), rule).differences.length === 0
      ? `To check it: ${code(`checkRule("${rule.name}")`)}; beside all others: ${code("lib/turnwise/REPORT-CARD.md")}`
      : `To check it: ${code("checkRule(rule)")}; beside others: ${code(`reportCard({ mine: rule, ${rule.name}: "${rule.name}" })`)}`;
  }

  /** Descriptions of the custom functions, given when they got their labels. */
  #own(formula: (equation: string) => string): string[] {
    return customFunctions(this.rule).map(({ field, by: { label, help, equation, source } }) => {
      const said = [help, equation === "" ? "" : formula(equation), source === "" ? "" : `Source: ${source}`];
      return [`${field} "${label}"`, ...said.filter((one) => one !== "")].join("; ");
    });
  }

  /** Only the tags that this text uses. */
  #tags(): [string, string][] {
    const text = [this.source, ...this.deviations, ...this.shown].join(" ");
    return Object.entries(evidence).filter(([tag]) => text.includes(`[${tag}]`));
  }
}

/**
 * Explanation of a recipe: equation, rule, citation, departures from it, what has been shown about it, and the
 * descriptions of its custom functions.
 *
 * @throws {RangeError} if the name is unknown
 * @example
 * import { explain } from "turnwise";
 * explain("seeUpo"); // a notebook shows the page; `toString()` gives it as text
 */
export function explain(of: RecipeNameInput | Recipe): Explanation {
  return new Explanation(typeof of === "string" ? recipe(of) : of);
}
