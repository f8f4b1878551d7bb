import { distance as edits } from "fastest-levenshtein";
import { displaySymbol } from "../display/bundle.js";
import type { MimeBundle } from "../protocol/message.js";
import type { IndexEntry } from "./index-page.js";
import type { OptionRow } from "./options.js";

/** Something that a library reports though it is no exported name, such as a metric. */
export interface Topic extends IndexEntry {
  /** Other names that it answers to. */
  readonly also?: readonly string[];
  /** A page in Markdown, where no other page reports it. */
  readonly page?: string;
}

/** Help pages that a library adds to `help`. */
export interface HelpSource {
  /** Everything that it answers to, apart from exported names. */
  topics(): readonly Topic[];
  /** Titles of its groups for the index, in order. `functions` is the kernel's group of exported functions and classes. */
  readonly titles?: Readonly<Record<string, string>>;
  /** The page of a value, or of a name; undefined for what it does not know. */
  explain?(what: unknown): unknown;
  /** The options of a function or a topic; undefined if it has none of that name. */
  options?(name: string): OptionRow[] | undefined;
  /** A sentence about a topic that has options and no page. */
  about?(name: string): string;
}

const helpSymbol = Symbol.for("Jupyter.help");

/**
 * Help pages that libraries add: each puts its source under its name into the map
 * `globalThis[Symbol.for("Jupyter.help")]` when it is loaded.
 */
export function helpSources(packages: readonly { readonly exports: unknown }[]): readonly HelpSource[] {
  // To look at the exports loads the library.
  for (const one of packages) void one.exports;
  const sources = (globalThis as { [helpSymbol]?: unknown })[helpSymbol];
  return sources instanceof Map ? [...(sources as Map<string, HelpSource>).values()] : [];
}

/** Names of topics that are a slip or two away, best first; where there are none, those that have the text in them. */
export function nearTopics(typed: string, topics: readonly Topic[]): string[] {
  const wanted = typed.toLowerCase();
  const names = [...new Set(topics.flatMap(({ name, also = [] }) => [name, ...also]))];
  const slips = names
    .map((name) => ({ name, distance: edits(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 6)))
    .sort((a, b) => a.distance - b.distance);
  if (slips.length > 0) return slips.map(({ name }) => name);
  return wanted.length < 3 ? [] : names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 5);
}

/** Help page of a library for an option or a metric. */
export class TopicPage {
  constructor(
    readonly name: string,
    readonly group: string,
    readonly markdown: string,
  ) {}

  toString(): string {
    return `${this.name}\n\n${this.markdown}`;
  }

  [displaySymbol](): MimeBundle {
    const kind = this.group.replace(/s$/, "");
    return {
      "text/markdown": `**\`${this.name}\`** (${kind})\n\n${this.markdown}`,
      "text/plain": this.toString(),
    };
  }
}
