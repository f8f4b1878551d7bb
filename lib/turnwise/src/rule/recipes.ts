import { show } from "../base/show";
import { didYouMean } from "../base/suggest";
import { resolve } from "../schema";
import type { Custom } from "./custom/custom";
import { currentName, type RecipeNameInput } from "./deprecatedNames";
import { composing, refuseIgnored } from "./conflicts";
import { customFunctions, type CustomPlace } from "./custom/customFunctions";
import type { Recipe } from "./recipe";
import { rowGroups, rows, type RecipeName, type RecipeOverrides } from "./rules";
import { recipeSchema } from "./schema";

/** The names of all rules, in the order of the table. */
export const recipeNames = Object.freeze(Object.keys(rows)) as readonly RecipeName[];

/** The parts of the table, in their order: what a part is called, and the names of its rules. */
export const recipeGroups: readonly { readonly title: string; readonly names: readonly RecipeName[] }[] =
  Object.entries(rowGroups).flatMap(([title, group]) => {
    const names = Object.keys(group) as RecipeName[];
    return names.length === 0 ? [] : [{ title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`, names }];
  });

/** The frozen table: one complete rule for each recipe. */
export const recipes: Readonly<Record<RecipeName, Recipe>> = Object.freeze(
  Object.fromEntries(
    recipeNames.map((name) => [name, laidOver(name, undefined, rows[name].fields)]),
  ) as Record<RecipeName, Recipe>,
);

/**
 * A rule of the table, or any other rule, with some fields changed.
 *
 * Naming another choice starts from that choice's defaults and keeps the knobs that both share; a bare string names a
 * choice, so `{ scale: "none" }` is `{ scale: { kind: "none" } }`.
 *
 * A name of an earlier version gives the same rule under its present name: `recipe("stPpo")` is `recipe("soPpo")`.
 *
 * A rule of your own begins another one: `recipe(rule, { gate: { clipHigh: 0.3 } })` keeps its functions.
 *
 * @throws {RangeError} if a name or knob is unknown, a value is out of range, or the rule would ignore a knob
 * @throws {TypeError} if a value has another type
 * @example
 * import { recipe } from "turnwise";
 * const rule = recipe("grpo", { gate: { clipHigh: 0.28 } });
 * rule.gate; // => { kind: "clip", clipLow: 0.2, clipHigh: 0.28 }
 */
export function recipe(of: RecipeNameInput | Recipe, overrides: RecipeOverrides = {}): Recipe {
  const { variant, ...fields } = overrides;
  const name = currentName(typeof of === "object" && of !== null ? of.name : of);
  if (!Object.hasOwn(recipes, name)) {
    throw new RangeError(
      `Cannot make a recipe: unknown rule ${show(name)}.${didYouMean(String(name), recipeNames)}\nrecipeNames lists all: ${recipeNames.join(", ")}.`,
    );
  }
  if (variant === undefined) return laidOver(name, typeof of === "object" ? of : recipes[name], fields);
  if (of !== "seeUpo") {
    throw new RangeError(
      `Cannot make recipe ${name}: only seeUpo has variants, got variant ${show(variant)}.`,
    );
  }
  if (variant !== "theory" && variant !== "authors") {
    throw new RangeError(
      `Cannot make recipe seeUpo: variant must be "theory" or "authors", got ${show(variant)}.`,
    );
  }
  const base = variant === "theory" ? recipes.seeUpo : recipes.seeUpoAuthors;
  return laidOver(base.name, base, fields);
}

/** Checkpoints and tables know a function by its label alone. */
function refuseSharedLabels(name: RecipeName, fields: object): void {
  const seen = new Map<string, CustomPlace<Custom>>();
  for (const own of customFunctions(fields)) {
    const other = seen.get(own.by.label);
    if (other !== undefined && other.by.apply !== own.by.apply) {
      throw new RangeError(
        `Cannot make recipe ${name}: every custom function needs its own label, but "${own.by.label}" is one function in ${other.field} and another in ${own.field}.`,
      );
    }
    seen.set(own.by.label, own);
  }
}

/**
 * A whole loss takes the place of the fields that compose one: they start from idle, so that only what is given beside it
 * conflicts. A rule that gives its loss up has those of the table again.
 */
function composedAgain(name: RecipeName, base: Recipe | undefined, { loss }: RecipeOverrides): object {
  if (loss) return pick(resolve(recipeSchema, {}, { action: "start", owner: "a recipe" }), composing);
  return loss === null && base?.loss ? pick(recipes[name], composing) : {};
}

function pick<X, K extends keyof X>(from: X, keys: readonly K[]): Pick<X, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<X, K>;
}

function laidOver(name: RecipeName, base: Recipe | undefined, fields: RecipeOverrides): Recipe {
  const attempt = { action: `make recipe ${name}`, owner: "a recipe" };
  const resolved = resolve(recipeSchema, fields, attempt, { ...base, ...composedAgain(name, base, fields) });
  refuseSharedLabels(name, resolved);
  refuseIgnored(name, resolved);
  return Object.freeze({ name, ...resolved });
}
