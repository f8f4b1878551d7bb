import { glossary, type MetricName } from "../../base/glossary";
import { envInfo, registeredIds } from "../../env";
import { loggedNames } from "../../base/loggedNames";
import { policyFields } from "../../policy";
import { explain, recipeNames, type Recipe, type RecipeName } from "../../rule";
import { recipeSchema } from "../../rule/schema";
import { group, knobsOf, type Fields } from "../../schema";
import type { Knob } from "../../schema/knobs";
import { customTopics } from "./customTopics";
import { trainSchema } from "../../train/options";
import { optionsTable } from "../../train/optionsTable";

/** Something that `help(...)` answers to, though it is no exported name. */
interface Topic {
  readonly group: "rules" | "worlds" | "policies" | "options" | "metrics";
  readonly name: string;
  /** One line for an index. */
  readonly about: string;
  /** Other names that it answers to, such as `gate.clipHigh`. */
  readonly also?: readonly string[];
  /** A page in Markdown, where no other page reports it. */
  readonly page?: string;
}

/** All topics, each group in the order of its tables. Worlds are those that are registered now. */
function topics(): Topic[] {
  return [
    ...recipeNames.map((name): Topic => ({ group: "rules", name, about: explain(name).title })),
    ...registeredIds().map((name): Topic => {
      const { about = "", skill = "" } = envInfo(name);
      return { group: "worlds", name, about: about === "" ? skill : about };
    }),
    ...Object.entries(kinds).map(([name, about]): Topic => ({ group: "policies", name, about })),
    ...optionTopics(),
    ...customTopics.map((topic): Topic => ({ group: "options", ...topic })),
    ...(Object.keys(glossary) as MetricName[]).map(metricTopic),
  ];
}

const kinds: Readonly<Record<keyof typeof policyFields, string>> = {
  tabular: "a softmax for every context: exact, and grows with what it meets",
  logLinear: "logits linear in features",
  mlp: "a small network on the last observation",
  gru: "a small recurrent network on the tokens so far",
  transformer: "a small transformer on the tokens so far",
};

/** Owner of an option, and its notation there. */
interface Owner {
  readonly of: string;
  readonly written: (path: string, value: string) => string;
  readonly knobs: readonly Knob[];
}

const nested = (path: string, value: string): string =>
  path.split(".").reduceRight((inner, key) => `{ ${key}: ${inner} }`, value);

function owners(): Owner[] {
  return [
    {
      of: "a rule's row",
      written: (path, value) => `recipe("grpo", ${nested(path, value)})`,
      knobs: knobsOf(recipeSchema),
    },
    {
      of: "`train`",
      written: (path, value) => `train({ ..., ${path}: ${value} })`,
      knobs: knobsOf(trainSchema),
    },
    ...Object.entries(policyFields).map(([kind, fields]): Owner => ({
      of: `a policy of kind \`${kind}\``,
      written: (path, value) => `train({ ..., policy: { kind: "${kind}", ${path}: ${value} } })`,
      knobs: knobsOf(group<Fields>(fields)),
    })),
    ...registeredIds().flatMap((id): Owner[] => {
      const { options } = envInfo(id);
      if (options === undefined) return [];
      return [
        {
          of: `\`${id}\``,
          written: (path, value) => `make("${id}", { ${path}: ${value} })`,
          knobs: knobsOf(options),
        },
      ];
    }),
  ];
}

/** An option is one topic, whoever has it: `clipHigh` is a knob of several gates, `level` an option of several worlds. */
function optionTopics(): Topic[] {
  const found = new Map<string, { owner: Owner; knob: Knob }[]>();
  for (const owner of owners()) {
    for (const knob of owner.knobs) {
      const name = knob.path.split(".").at(-1)!;
      found.set(name, [...(found.get(name) ?? []), { owner, knob }]);
    }
  }
  return [...found].map(([name, uses]) => {
    const [first] = uses as [{ owner: Owner; knob: Knob }];
    const paths = [...new Set(uses.map(({ knob }) => knob.path))];
    const said = [...new Set(uses.map(useText))];
    return {
      group: "options",
      name,
      about: `${first.owner.of}: ${first.knob.help === "" ? first.knob.wanted : first.knob.help}`,
      also: [...paths.filter((path) => path !== name), ...wordsOf(uses.map(({ knob }) => knob))],
      page: [...said, `Written: ${codeOf(first.owner.written(first.knob.path, exampleOf(first.knob)))}`].join(
        "\n\n",
      ),
    };
  });
}

/** The values that a choice of a row offers: `clip` is told on the page of `gate`. Words such as "none" belong to none. */
function wordsOf(knobs: readonly Knob[]): string[] {
  const taken = new Set<string>([
    ...recipeNames,
    "none",
    "off",
    "custom",
    "mean",
    "token",
    "turn",
    "batch",
    "group",
  ]);
  const words = knobs.flatMap(({ type, values }) => (type === "choice" ? (values ?? []) : []));
  return [...new Set(words)].filter((word) => !taken.has(word));
}

const codeOf = (code: string): string => `\`${code}\``;

function useText({ owner: { of }, knob }: { owner: Owner; knob: Knob }): string {
  const { path, wanted, default: initial, unit, help, when } = knob;
  const needs = Object.entries(when).map(([cell, value]) =>
    codeOf(`${cell}: ${value === "on" ? "{ ... }" : `"${value}"`}`),
  );
  const start = initial === undefined ? "" : `, ${codeOf(JSON.stringify(initial))} unless given`;
  const where = needs.length === 0 ? "" : ` with ${needs.join(" and ")}`;
  return `${codeOf(path)} of ${of}${where}: ${wanted}${unit === undefined ? "" : ` (${unit})`}${start}. ${help}`.trim();
}

/** A value to show how an option is written. */
function exampleOf({ default: initial, values, type }: Knob): string {
  if (values !== undefined) return `"${values[0]!}"`;
  return initial !== undefined ? JSON.stringify(initial) : type === "instance" ? "..." : "1";
}

/** Help topic of a metric, with its names in other frameworks. */
function metricTopic(name: MetricName): Topic {
  const { unit, meaning, worryWhen } = glossary[name];
  const others = [...loggedNames(name)].map(
    ([title, names]) => `${title} logs it as ${names.map(codeOf).join(" or ")}`,
  );
  return {
    group: "metrics",
    name,
    about: meaning,
    page: [
      `${meaning[0]!.toUpperCase()}${meaning.slice(1)}. Unit: ${unit}.`,
      `Worry when ${worryWhen}.`,
      ...(others.length === 0 ? [] : [`${others.join("; ")}.`]),
      `Read: ${codeOf(`record.metrics["${name}"]`)}; drawn: ${codeOf(`learningCurve(runs, { metric: "${name}" })`)}`,
    ].join("\n\n"),
  };
}

const titles = {
  rules: "Rules: recipe(name)",
  worlds: "Worlds: make(id)",
  policies: "Policies: { policy: { kind } }",
  functions: "Functions and classes",
  options: "Options",
  metrics: "Metrics: record.metrics[name]",
};

/** The card of a rule, by its name or itself. */
function explained(what: unknown): unknown {
  const { name, gate } = (typeof what === "object" && what !== null ? what : {}) as Partial<Recipe>;
  const known = (one: unknown): one is RecipeName => (recipeNames as readonly unknown[]).includes(one);
  if (known(what)) return explain(what);
  return typeof gate === "object" && known(name) ? explain(what as Recipe) : undefined;
}

function options(name: string): ReturnType<typeof optionsTable> | undefined {
  try {
    return optionsTable(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

const about = (name: string): string =>
  registeredIds().some((id) => id === name) ? (envInfo(name).about ?? "") : "";

/** The answers of `help` about rules, worlds, policies, options and metrics. */
export const helpSource = { topics, titles, explain: explained, options, about } as const;
