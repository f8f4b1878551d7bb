import { isDisplayable } from "../display/bundle.js";
import type { Declared } from "./declarations.js";
import { OptionsPage } from "./options.js";
import { IndexPage, mentionedIn, type IndexEntry } from "./index-page.js";
import { HelpPage, NoHelp } from "./page.js";
import { suggest } from "./suggest.js";
import { helpSources, nearTopics, TopicPage, type HelpSource } from "./topics.js";

/** A package, or a tier of its exports, whose names have help. */
export interface Documented {
  name: string;
  exports: Readonly<Record<string, unknown>>;
  declared: ReadonlyMap<string, Declared>;
  /** Names that no tier exports: they have help, but nobody can import them. */
  inside?: boolean;
  /** Entry of a name in an index of all names, in Markdown. */
  index?(name: string): string | undefined;
}

/** Answers `help(...)` from the type declarations of packages; they are read at the first question. */
export class Help {
  private packages: Documented[] | undefined;

  constructor(
    private readonly load: () => Documented[],
    /** A value as text, as Node's `inspect` has it. */
    private readonly inspect: (value: unknown) => string,
    /** Declarations of the notebook itself under a name. */
    private readonly own: (name: string) => Declared | undefined = () => undefined,
  ) {}

  /**
   * The documentation of an exported name, function or class, of a name or value that a library explains, or of the class of any other
   * object; suggestions for an unknown name. An index of all of these without anything.
   */
  about(...asked: readonly unknown[]): unknown {
    const packages = (this.packages ??= this.load());
    const sources = helpSources(packages.filter(({ inside }) => inside !== true));
    if (asked.length === 0) {
      const titles = Object.assign({}, ...sources.map((one) => one.titles)) as Record<string, string>;
      return new IndexPage(indexEntries(packages, sources), titles);
    }
    const [what] = asked;
    const name = typeof what === "string" ? what : nameOf(what, packages);
    const mine = name === "" ? undefined : this.own(name);
    if (mine) return new HelpPage(mine, "this notebook", []);
    const page = firstOf(sources, (one) => one.explain?.(what));
    if (isDisplayable(page)) return page;
    const options = firstOf(sources, (one) => one.options?.(name));
    for (const one of packages) {
      const declared = one.declared.get(name);
      if (!declared) continue;
      return new HelpPage(declared, one.name, seeAlso(declared, packages), one.index?.(name), options);
    }
    if (options !== undefined) {
      const about = firstOf(sources, (one) => one.about?.(name) || undefined) ?? "";
      return new OptionsPage(name, about, options);
    }
    const topics = sources.flatMap((one) => one.topics());
    const topic = topics.find((one) => one.name === name) ?? topics.find((one) => one.also?.includes(name));
    if (topic?.page !== undefined) return new TopicPage(topic.name, topic.group, topic.page);
    const known = [
      ...packages.filter(({ inside }) => inside !== true).flatMap((one) => [...one.declared.keys()]),
      // Three letters are in too many other names; a slip in such a name is near to it all the same.
      ...topics.filter((one) => one.page === undefined && one.name.length > 3).map((one) => one.name),
    ];
    const told = name === "" ? this.inspect(what).slice(0, 60) : name;
    const near = typeof what === "string" ? nearTopics(told, topics) : [];
    const suggested = [...new Set([...near, ...suggest(told, new Set(known))])].slice(0, 5);
    const mentioned = typeof what === "string" ? mentionedIn(told, indexEntries(packages, sources)) : [];
    return new NoHelp(told, suggested, mentioned);
  }
}

/** The first answer that a library has. */
function firstOf<T>(
  sources: readonly HelpSource[],
  ask: (source: HelpSource) => T | undefined,
): T | undefined {
  for (const one of sources) {
    const answer = ask(one);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** All that `help(name)` answers to: functions and classes of the first tier and of the kernel, and what libraries tell. */
function indexEntries(packages: readonly Documented[], sources: readonly HelpSource[]): IndexEntry[] {
  const open = packages.filter(({ inside, name }) => inside !== true && !name.includes("/"));
  const functions = open.flatMap(({ declared, exports, name: module }) =>
    [...declared.values()]
      .filter(({ name }) => name in exports || module === "turnwise-kernel")
      .filter(({ signature }) => /^(async )?(function|class|const|abstract class)\b/.test(signature))
      .map(({ name, text }): IndexEntry => ({ group: "functions", name, about: firstSentence(text) })),
  );
  return [...sources.flatMap((one) => one.topics()), ...functions];
}

const firstSentence = (text: string): string =>
  (/^[^]*?[.:](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim()).replace(/\s+/g, " ").replace(/:$/, ".");

/** The name under which a value is exported, else that of its class; "" when there is none. */
function nameOf(what: unknown, packages: readonly Documented[]): string {
  if (what === null || (typeof what !== "object" && typeof what !== "function")) return "";
  for (const { exports } of packages) {
    const found = Object.keys(exports).find((name) => exports[name] === what);
    if (found !== undefined) return found;
  }
  if (typeof what === "function") return what.name;
  const { name } = (what as { constructor?: { name?: string } }).constructor ?? {};
  return name === undefined || name === "Object" || name === "Array" ? "" : name;
}

/** Exported names that the text mentions, and then those declared beside it. */
function seeAlso(declared: Declared, packages: readonly Documented[]): string[] {
  const all = new Map([...packages].reverse().flatMap((one) => [...one.declared]));
  const text = [declared.text, ...declared.tags.map((tag) => tag.text)].join("\n");
  const mentioned = [...text.matchAll(/`([A-Za-z_$][\w$]*)[^`]*`/g)].map((match) => match[1]!);
  const beside = [...all.values()].filter(({ file }) => file === declared.file).map(({ name }) => name);
  return [...new Set([...mentioned, ...beside])]
    .filter((name) => name !== declared.name && all.has(name))
    .slice(0, 8);
}
