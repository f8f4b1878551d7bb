import { displaySymbol } from "../display/bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import type { Declared } from "./declarations.js";
import { optionList, type OptionRow } from "./options.js";

const longestSignature = 30;

/** The documentation of one name, as Markdown for a notebook and as text for a terminal. */
export class HelpPage {
  constructor(
    readonly declared: Declared,
    /** Module that exports it, such as `turnwise`. */
    readonly module: string,
    readonly seeAlso: readonly string[],
    /** Entry in the index of all names, in Markdown. */
    readonly index?: string,
    readonly options: readonly OptionRow[] = [],
  ) {}

  toString(): string {
    const text = this.parts((head) => `${head}:`).join("\n\n");
    return text.replace(/\[([^\]]+)\]\(file:[^)]+\)/g, "$1");
  }

  [displaySymbol](): MimeBundle {
    const { name } = this.declared;
    const markdown = [`**\`${name}\`** of \`${this.module}\``, ...this.parts((head) => `**${head}**`)];
    return { "text/markdown": markdown.join("\n\n"), "text/plain": this.toString() };
  }

  private parts(head: (text: string) => string): string[] {
    const { text, tags } = this.declared;
    const of = (name: string): string[] => tags.filter((tag) => tag.name === name).map((tag) => tag.text);
    const section = (title: string, items: readonly string[], between = "; "): string[] =>
      items.length === 0 ? [] : [`${head(title)} ${items.join(between)}`];
    return [
      `\`\`\`typescript\n${shortened(this.declared.signature)}\n\`\`\``,
      ...(text === "" ? [] : [text]),
      ...(this.options.length === 0 ? [] : [`${head("Options")}\n\n${optionList(this.options)}`]),
      ...section(
        "Parameters",
        of("param").map((one) => one.replace(/^(\S+)\s+-?\s*/, "`$1`: ")),
      ),
      ...section("Returns", [...of("returns"), ...of("return")]),
      ...of("example").map((example) => `${head("Example")}\n\n${fenced(example)}`),
      ...section(
        "Throws",
        of("throws").map((one) => one.replace(/^\{(\w+)\}/, "$1")),
      ),
      ...section("Source", of("see")),
      ...section(
        "See also",
        this.seeAlso.map((name) => `\`${name}\``),
        ", ",
      ),
      ...section("Index", this.index === undefined ? [] : [this.index]),
    ];
  }
}

/** The answer to a question about an unknown name. */
export class NoHelp {
  constructor(
    readonly name: string,
    readonly suggestions: readonly string[],
    /** Names whose line in the index has the word in it. */
    readonly mentioned: readonly string[] = [],
  ) {}

  toString(): string {
    const near = this.suggestions.length === 0 ? "" : ` Did you mean ${this.suggestions.join(", ")}?`;
    const found = this.mentioned.length === 0 ? "" : ` It is mentioned in ${this.mentioned.join(", ")}.`;
    return `Nothing is known about ${this.name}.${near}${found}`;
  }

  [displaySymbol](): MimeBundle {
    const near =
      this.suggestions.length === 0
        ? ""
        : ` Did you mean ${this.suggestions.map((name) => `\`${name}\``).join(", ")}?`;
    const found =
      this.mentioned.length === 0
        ? ""
        : ` It is mentioned in ${this.mentioned.map((name) => `\`${name}\``).join(", ")}.`;
    return {
      "text/markdown": `Nothing is known about \`${this.name.replaceAll("`", "'")}\`.${near}${found}`,
      "text/plain": this.toString(),
    };
  }
}

function shortened(signature: string): string {
  const lines = signature.split("\n");
  if (lines.length <= longestSignature) return signature;
  return [
    ...lines.slice(0, longestSignature),
    `// ... ${String(lines.length - longestSignature)} more lines`,
  ].join("\n");
}

function fenced(example: string): string {
  return example.startsWith("```") ? example : `\`\`\`typescript\n${example}\n\`\`\``;
}
