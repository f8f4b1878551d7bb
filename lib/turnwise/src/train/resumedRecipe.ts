import { compareRecipes, currentName, recipe as recipeOf, type RecipeNameInput, type Recipe } from "../rule";
import { isCustom } from "../rule/custom/custom";
import { changedFunctions, isLine, lostFunctions, customFunctions } from "../rule/custom/customFunctions";
import { withPenaltiesWrittenOut } from "../rule/regularizer/penalties";
import { sourceOf } from "../rule/sourceOf";

/** Whether a checkpoint's rule has custom functions: then the rule may be given again, and it must be if a file has lost them. */
export const hasOwnFunctions = (rule: Recipe): boolean =>
  customFunctions(rule).length > 0 || lostFunctions(rule).length > 0;

/** Default values of fields added after the first version: old checkpoints lack them. */
const laterCells = {
  correction: { kind: "none" },
  forks: { kind: "none" },
} as const satisfies Partial<Recipe>;

const laterUpdate = { stepScale: { kind: "none" } } as const satisfies Partial<Recipe["update"]>;

/**
 * The rule of a checkpoint, with its custom functions from the rule that was given along with it.
 *
 * @throws {TypeError} if functions are missing and no rule was given, or a field of it has no function
 * @throws {RangeError} if a function has another label or, where the checkpoint still has it, another text; or another field differs
 */
export function resumedRecipe(stored: Recipe, given: Recipe | RecipeNameInput | undefined): Recipe {
  const name = currentName(stored.name);
  const kept = withPenaltiesWrittenOut({
    ...laterCells,
    ...stored,
    update: { ...laterUpdate, ...stored.update },
    name,
  });
  const lost = lostFunctions(kept);
  if (given === undefined) {
    if (lost.length === 0) return kept;
    const known = lost.map(({ field, by }) => `${field} "${by.custom}"`).join(", ");
    throw new TypeError(
      `Cannot resume: a checkpoint stores only the labels of custom functions, and this one has ${known}.\nAdd recipe: ${sourceOf(kept)}`,
    );
  }
  const rule = typeof given === "string" ? recipeOf(given) : given;
  const mine = new Map(customFunctions(rule).map(({ field, by }) => [field, by]));
  const labels = [
    ...lost.map(({ field, by }) => ({ field, label: by.custom })),
    ...customFunctions(kept).map(({ field, by }) => ({ field, label: by.label })),
  ];
  for (const { field, label } of labels) {
    const found = mine.get(field)?.label;
    if (found === label) continue;
    const current = found === undefined ? "no custom function" : `"${found}"`;
    throw new RangeError(
      `Cannot resume: ${field} must be the checkpoint's custom function "${label}", got ${current}.`,
    );
  }
  const [changed] = changedFunctions(kept, rule);
  if (changed !== undefined) {
    const { field, by } = changed;
    throw new RangeError(
      `Cannot resume: ${field} must be the checkpoint's custom function "${by.label}", but the text of the current one is another.`,
    );
  }
  expectSame(filled(kept, rule) as Recipe, rule);
  return rule;
}

/** The kept rule with the functions of the given one, whose labels are the same. */
function filled(kept: object, given: object): object {
  const fields = Object.entries(kept).map(([key, value]: [string, unknown]): [string, unknown] => {
    const other = (given as Readonly<Record<string, unknown>>)[key];
    if (typeof value !== "object" || value === null) return [key, value];
    if (isCustom(value) || isLine(value)) return [key, other];
    return [key, typeof other === "object" && other !== null ? filled(value, other) : value];
  });
  return Object.fromEntries(fields);
}

function expectSame(kept: Recipe, given: Recipe): void {
  const [first] = compareRecipes(kept, given).differences;
  if (kept.name === given.name && first === undefined) return;
  const { field, values } = first ?? { field: "name", values: [kept.name, given.name] };
  throw new RangeError(
    `Cannot resume: recipe must be the checkpoint's rule, where ${field} is ${values[0]!}, got ${values[1]!}.`,
  );
}
