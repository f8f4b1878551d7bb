import { displaySymbol } from "../display/bundle.js";
import type { MimeBundle } from "../protocol/message.js";

/** One option as the library tells it: see its `optionsTable`. */
export interface OptionRow {
  option: string;
  mustBe: string;
  default: string;
  unit: string;
  help: string;
}

type Exports = Readonly<Record<string, unknown>>;

/** The options of a function, a world or a kind of policy; undefined where the library declares none of that name. */
export function optionsOf(topic: string, packages: readonly { exports: Exports }[]): OptionRow[] | undefined {
  for (const { exports } of packages) {
    if (typeof exports.optionsTable !== "function") continue;
    try {
      return (exports.optionsTable as (of: string) => OptionRow[])(topic);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return undefined;
}

/** One sentence about a world; "" for anything else. */
export function worldText(id: string, packages: readonly { exports: Exports }[]): string {
  for (const { exports } of packages) {
    const { envFacts, registeredIds } = exports;
    if (typeof envFacts !== "function" || typeof registeredIds !== "function") continue;
    if (!(registeredIds as () => string[])().includes(id)) continue;
    return (envFacts as (of: string) => { about?: string })(id).about ?? "";
  }
  return "";
}

/** The names of worlds, for suggestions. */
export function worldIds({ exports }: { exports: Exports }): string[] {
  return typeof exports.registeredIds === "function" ? (exports.registeredIds as () => string[])() : [];
}

/** Options as a list in Markdown: a table would break where an option's values are told apart by bars. */
export function optionList(rows: readonly OptionRow[]): string {
  return rows
    .map(({ option, mustBe, default: initial, unit, help }) => {
      const start = initial === "" ? "" : `, \`${initial}\` unless given`;
      return `- \`${option}\`: ${mustBe}${unit === "" ? "" : ` (${unit})`}${start}. ${help}`;
    })
    .join("\n");
}

/** What can be set of something that is no exported name: a world by its id, a policy by its kind. */
export class OptionsPage {
  constructor(
    readonly topic: string,
    readonly text: string,
    readonly rows: readonly OptionRow[],
  ) {}

  toString(): string {
    return [this.topic, ...this.parts((head) => `${head}:`)].join("\n\n");
  }

  [displaySymbol](): MimeBundle {
    const markdown = [`**\`${this.topic}\`**`, ...this.parts((head) => `**${head}**`)].join("\n\n");
    return { "text/markdown": markdown, "text/plain": this.toString() };
  }

  private parts(head: (text: string) => string): string[] {
    const list = this.rows.length === 0 ? [] : [`${head("Options")}\n\n${optionList(this.rows)}`];
    return [...(this.text === "" ? [] : [this.text]), ...list];
  }
}
