import { displaySymbol } from "../display/bundle.js";
import type { MimeBundle } from "../protocol/message.js";

/** One option, as a library declares it. */
export interface OptionRow {
  option: string;
  mustBe: string;
  default: string;
  unit: string;
  help: string;
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

/** The options of something that is no exported name. */
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
