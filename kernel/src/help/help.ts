import { isDisplayable } from "../display/bundle.js";
import type { Declared } from "./declarations.js";
import { optionsOf, OptionsPage, worldIds, worldText } from "./options.js";
import { IndexPage, mentionedIn, type IndexEntry } from "./index-page.js";
import { HelpPage, NoHelp } from "./page.js";
import { suggest } from "./suggest.js";
import { nearTopics, TopicPage, topicsOf } from "./topics.js";

/** A package, or a tier of its exports, whose names have help. */
export interface Documented {
  name: string;
  exports: Readonly<Record<string, unknown>>;
  declared: ReadonlyMap<string, Declared>;
  /** Names that no tier exports: they have help, but nobody can import them. */
  inside?: boolean;
  /** Where an index of all names tells of one of them, in Markdown. */
  index?(name: string): string | undefined;
}

/** Answers `help(...)` from the type declarations of packages; they are read at the first question. */
export class Help {
  private packages: Documented[] | undefined;

  constructor(
    private readonly load: () => Documented[],
    /** A value as text, as Node's `inspect` has it. */
    private readonly inspect: (value: unknown) => string,
    /** What the notebook itself declares under a name. */
    private readonly own: (name: string) => Declared | undefined = () => undefined,
  ) {}

  /**
   * The documentation of an exported name, function or class, of a recipe by name or row, of a world by its id, of a kind of
   * policy, of an option or a metric, or of the class of any other object; suggestions for an unknown name. An index of all
   * of these without anything.
   */
  about(...asked: readonly unknown[]): unknown {
    const packages = (this.packages ??= this.load());
    if (asked.length === 0) return new IndexPage(indexEntries(packages));
    const [what] = asked;
    const name = typeof what === "string" ? what : nameOf(what, packages);
    const mine = name === "" ? undefined : this.own(name);
    if (mine) return new HelpPage(mine, "this notebook", []);
    const recipe = explained(what, packages);
    if (recipe !== undefined) return recipe;
    const open = packages.filter(({ inside }) => inside !== true);
    const options = optionsOf(name, open);
    for (const one of packages) {
      const declared = one.declared.get(name);
      if (!declared) continue;
      return new HelpPage(declared, one.name, seeAlso(declared, packages), one.index?.(name), options);
    }
    if (options !== undefined) return new OptionsPage(name, worldText(name, open), options);
    const topics = topicsOf(open);
    const topic = topics.find((one) => one.name === name) ?? topics.find((one) => one.also?.includes(name));
    if (topic?.page !== undefined) return new TopicPage(topic.name, topic.group, topic.page);
    const known = open.flatMap((one) => [...one.declared.keys(), ...recipeNames(one), ...worldIds(one)]);
    const told = name === "" ? this.inspect(what).slice(0, 60) : name;
    const near = typeof what === "string" ? nearTopics(told, topics) : [];
    const suggested = [...new Set([...near, ...suggest(told, new Set(known))])].slice(0, 5);
    return new NoHelp(
      told,
      suggested,
      typeof what === "string" ? mentionedIn(told, indexEntries(packages)) : [],
    );
  }
}

/** All that `help(name)` answers to: functions and classes of the first tier and of the kernel, and what libraries tell. */
function indexEntries(packages: readonly Documented[]): IndexEntry[] {
  const open = packages.filter(({ inside, name }) => inside !== true && !name.includes("/"));
  const functions = open.flatMap(({ declared, exports, name: module }) =>
    [...declared.values()]
      .filter(({ name }) => name in exports || module === "turnwise-kernel")
      .filter(({ signature }) => /^(async )?(function|class|const|abstract class)\b/.test(signature))
      .map(({ name, text }): IndexEntry => ({ group: "functions", name, about: firstSentence(text) })),
  );
  return [...topicsOf(open), ...functions];
}

const firstSentence = (text: string): string =>
  (/^[^]*?[.:](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim()).replace(/\s+/g, " ").replace(/:$/, ".");

/** A recipe has more to it than a type: its equation, row, source and departures. */
function explained(what: unknown, packages: readonly Documented[]): unknown {
  for (const one of packages) {
    const { explain } = one.exports;
    if (typeof explain !== "function") continue;
    const names = recipeNames(one);
    const row = what as { name?: unknown; gate?: unknown } | null | undefined;
    const isRow =
      typeof what === "object" && typeof row?.gate === "object" && names.includes(String(row.name));
    if (isRow || (typeof what === "string" && names.includes(what))) {
      const page = (explain as (what: unknown) => unknown)(what);
      if (isDisplayable(page)) return page;
    }
  }
  return undefined;
}

function recipeNames(one: Documented): readonly string[] {
  const names = one.exports.recipeNames;
  return Array.isArray(names) ? names.map(String) : [];
}

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
