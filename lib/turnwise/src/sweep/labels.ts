import { currentName, recipeNames, recipe, type RecipeNameInput } from "../rule";
import { parseLine, toLine, type Json } from "./json";
import { labelOf } from "./modules/reference";

type Leaves = Readonly<Record<string, string>>;

/**
 * Text for each value of an axis, different for different values. A record is named by what tells it from its namesakes: by the
 * functions in it if these differ, else by the leaves that do. If the named rule is on the same axis, its variants are named by
 * what they change. Where that is one text for two values, all records of their names list every leaf in which they differ; if
 * that is not enough either, such as for functions of one label from two modules, each value of the axis is written out.
 */
export function labelsOf(values: readonly Json[]): Json[] {
  const leaves = values.map((value) => (isRecord(value) ? flatten(value) : ruleLeaves(value, values)));
  const short = shortLabelsOf(values, leaves);
  const unclear = collisions(short, values);
  if (unclear.size === 0) return short;
  const alike = namesakesOf(unclear, leaves);
  const long = values.map((value, i) =>
    isRecord(value) && alike.has(i) ? everyDifference(leaves, i) : short[i]!,
  );
  return collisions(long, values).size === 0 ? long : values.map((value) => toLine(value, "the axis"));
}

function shortLabelsOf(values: readonly Json[], leaves: readonly (Leaves | undefined)[]): Json[] {
  const functions = values.map((value, i) =>
    isRecord(value) ? labelBy(leaves[i]!, functionsIn(value)) : undefined,
  );
  return values.map((value, i) => {
    if (!isRecord(value)) return Array.isArray(value) ? JSON.stringify(value) : (labelOf(value) ?? value);
    const leaf = leaves[i]!;
    const short = functions[i]!;
    if (short.endsWith("}") && functions.filter((other) => other === short).length === 1) return short;
    const alike = values.flatMap((one, k) =>
      leaves[k]?.["name"] === leaf["name"] ? [{ one, of: leaves[k]! }] : [],
    );
    // Where the named rule itself is there, what a variant changes is enough.
    const base = alike.filter(({ one }) => typeof one === "string");
    const label = labelBy(
      leaf,
      telling(
        leaf,
        (base.length > 0 ? base : alike).map(({ of }) => of),
      ),
    );
    return label === "" ? "default" : label;
  });
}

/** The places of values that read like another value. The same value twice is not one of them: nothing tells these apart. */
function collisions(labels: readonly Json[], values: readonly Json[]): ReadonlySet<number> {
  const places = new Map<string, number[]>();
  labels.forEach((label, i) => {
    const text = String(label);
    const known = places.get(text);
    if (known) known.push(i);
    else places.set(text, [i]);
  });
  const several = [...places.values()].filter(
    (alike) => alike.length > 1 && new Set(alike.map((i) => identityOf(values[i]!))).size > 1,
  );
  return new Set(several.flat());
}

/** The places of all values with the name of one of these. */
function namesakesOf(
  places: ReadonlySet<number>,
  leaves: readonly (Leaves | undefined)[],
): ReadonlySet<number> {
  const names = new Set([...places].flatMap((i) => (leaves[i] ? [leaves[i]["name"]] : [])));
  return new Set(leaves.flatMap((leaf, i) => (leaf && names.has(leaf["name"]) ? [i] : [])));
}

/** A record by every leaf in which it differs from one of its namesakes. */
function everyDifference(leaves: readonly (Leaves | undefined)[], i: number): string {
  const leaf = leaves[i]!;
  const alike = leaves.filter((other) => other !== undefined && other["name"] === leaf["name"]);
  const label = labelBy(
    leaf,
    Object.keys(leaf).filter((path) => alike.some((other) => other?.[path] !== leaf[path])),
  );
  return label === "" ? "default" : label;
}

/** A text that two values have only if they are the same; a named rule is the same as its record. */
function identityOf(value: Json): string {
  const record = typeof value === "string" ? ruleRecord(value) : value;
  return JSON.stringify(record ?? value, (_, item: Json) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
}

/**
 * The leaves in which a record differs from another one. What belongs to a choice, such as `scale.epsilon`, is compared with
 * records of the same choice alone: where the choice differs, its name tells enough.
 */
function telling(leaf: Leaves, namesakes: readonly Leaves[]): string[] {
  return Object.keys(leaf).filter((path) =>
    namesakes.some(
      (other) => other[path] !== leaf[path] && sameChoices(path, leaf, other) && speaksFor(path, leaf, other),
    ),
  );
}

/** Whether the first leaf represents all, where the other record has nothing, such as a KL that is null. */
function speaksFor(path: string, leaf: Leaves, other: Leaves): boolean {
  const parts = path.split(".");
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = parts.slice(0, depth).join(".");
    if (other[parent] !== undefined)
      return Object.keys(leaf).find((one) => one.startsWith(`${parent}.`)) === path;
  }
  return true;
}

function sameChoices(path: string, leaf: Leaves, other: Leaves): boolean {
  const parts = path.split(".");
  for (let depth = 1; depth < parts.length; depth++) {
    for (const tag of ["kind", "level"]) {
      const choice = [...parts.slice(0, depth), tag].join(".");
      if (choice === path) continue;
      if (leaf[choice] !== other[choice] && (leaf[choice] ?? other[choice]) !== undefined) return false;
    }
  }
  return true;
}

/** A rule's name, where variants of it are on the same axis. */
function ruleLeaves(value: Json, values: readonly Json[]): Leaves | undefined {
  if (typeof value !== "string") return undefined;
  const record = ruleRecord(value);
  if (!record || !values.some((one) => isRecord(one) && one["name"] === record["name"])) return undefined;
  return flatten(record);
}

/** The named rule as data; undefined if there is none of that name. */
function ruleRecord(value: string): Readonly<Record<string, Json>> | undefined {
  const name = currentName(value as RecipeNameInput);
  if (!recipeNames.includes(name)) return undefined;
  return parseLine(toLine(recipe(name), "the rule")) as Readonly<Record<string, Json>>;
}

/** A record by its name and the leaves at some paths: `grpo{gate.clipHigh=0.3}`. */
export function labelBy(leaf: Leaves, paths: readonly string[]): string {
  const name = leaf["name"] === undefined ? "" : (JSON.parse(leaf["name"]) as string);
  const details = paths.map((path) => `${path}=${leaf[path]}`);
  return details.length === 0 ? name : `${name}{${details.join(",")}}`;
}

/** The leaves of a record by their paths, as text. */
export function flatten(value: Readonly<Record<string, Json>>, prefix = ""): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      isRecord(item)
        ? Object.entries(flatten(item, `${prefix}${key}.`))
        : [[prefix + key, toLine(labelOf(item) ?? item, key)]],
    ),
  );
}

/** The ways to the functions that a record names. */
export function functionsIn(value: Json, prefix = ""): string[] {
  if (labelOf(value) !== undefined) return [prefix];
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, item]) =>
        functionsIn(item, prefix === "" ? key : `${prefix}.${key}`),
      )
    : [];
}

/** A record that is more than the name of a function. */
export function isRecord(value: Json): value is Readonly<Record<string, Json>> {
  const record = typeof value === "object" && value !== null && !Array.isArray(value);
  return record && labelOf(value) === undefined;
}
