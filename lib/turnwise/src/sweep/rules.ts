import { show } from "../base/show";
import { didYouMean } from "../base/suggest";
import {
  currentName,
  recipe,
  recipeNames,
  type RecipeNameInput,
  type Recipe,
  type RecipeOverrides,
} from "../rule";
import { recipeSchema } from "../rule/schema";
import type { Namespace } from "./modules/notebook";
import { isLabel, mapTree } from "./modules/reference";

type Values = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fields = Object.keys(recipeSchema.properties);

/** Whether a record has every field of a rule. */
const isWhole = (value: Values): boolean => fields.every((field) => field in value);

/**
 * The rules of a plan, checked before any job runs: names; records `{ name, ...overrides }`, which become the named rule with
 * these fields changed; and names of rules that the plan's modules export.
 *
 * @param modules the exports of the modules that the plan or the notebook has, by file
 * @throws {RangeError} that names the path, and the nearest name
 */
export function rulesOf(axis: unknown, modules: ReadonlyMap<string, Namespace>): unknown {
  if (axis === undefined) return undefined;
  if (!Array.isArray(axis)) return ruleOf(axis, "recipe", modules);
  return axis.map((value: unknown, i) => ruleOf(value, `recipe[${i}]`, modules));
}

function namesFunctions(value: Values): boolean {
  let found = false;
  mapTree(value, (one) => {
    if (isLabel(one)) found = true;
    return undefined;
  });
  return found;
}

function ruleOf(value: unknown, path: string, modules: ReadonlyMap<string, Namespace>): unknown {
  if (typeof value === "string") return named(value, path, modules);
  if (!isRecord(value)) return value; // the check of the grid refuses it by its type
  const { name, ...overrides } = value;
  if (typeof name !== "string") {
    throw new RangeError(
      `Cannot sweep: ${path} must be the name of a rule, or an object with that name and the fields to change, such as ` +
        `{ "name": "grpo", "update": { "epochs": 4 } }, got the name ${show(name)}.`,
    );
  }
  // A rule from a file has the labels of functions alone where no module exports them, which is refused by itself.
  if (namesFunctions(value)) return value;
  try {
    const rule = recipe(name as RecipeNameInput, overrides as RecipeOverrides);
    return isWhole(value) ? value : rule;
  } catch (error) {
    const said = (error as Error).message.replace(/^Cannot /, "cannot ");
    throw new (error instanceof TypeError ? TypeError : RangeError)(`Cannot sweep: ${path}: ${said}`, {
      cause: error,
    });
  }
}

function named(name: string, path: string, modules: ReadonlyMap<string, Namespace>): string | Recipe {
  if (recipeNames.includes(currentName(name as RecipeNameInput))) return name;
  const exported = [...modules.values()].flatMap((namespace) =>
    Object.entries(namespace).filter(([, value]) => isRecord(value) && "name" in value && isWhole(value)),
  );
  const found = exported.find(([key]) => key === name);
  if (found) return found[1] as Recipe;
  const own = exported.map(([key]) => key);
  throw new RangeError(
    `Cannot sweep: ${path} must be the name of a rule${modules.size > 0 ? ", or of one that a module of the plan exports" : ""}, ` +
      `got ${show(name)}.${didYouMean(name, [...own, ...recipeNames])}` +
      (own.length > 0 ? `\nThe modules export ${own.join(", ")}.` : ""),
  );
}
