import { show } from "../base/show";
import { resolve } from "../schema";
import { isCustom, labeled } from "./custom/custom";
import { composing } from "./conflicts";
import { isLine } from "./custom/customFunctions";
import type { Recipe } from "./recipe";
import { recipes } from "./recipes";
import { recipeSchema } from "./schema";

/**
 * The call that makes a rule, as one would type it: its name, and the fields in which it differs from the table's rule.
 *
 * a custom function is written `custom("label", f)`, also where a file has kept its label alone.
 */
export function sourceOf({ name, ...fields }: Recipe): string {
  const table = recipes[name];
  // Beside a whole loss, what would compose one is idle, and so nobody types it.
  const idle: readonly string[] = fields.loss ? composing : [];
  const parts = Object.entries(fields).flatMap(([field, value]) => {
    if (idle.includes(field)) return [];
    const found = alone(table, field, value) ?? differing(value, table[field as keyof Recipe]);
    return found === undefined ? [] : [`${field}: ${found}`];
  });
  return parts.length === 0 ? `recipe("${name}")` : `recipe("${name}", { ${parts.join(", ")} })`;
}

/** a custom function with the knobs that it has by itself stands alone, and so it is easiest to read. */
function alone(table: Recipe, field: string, value: unknown): string | undefined {
  if (!isCells(value)) return undefined;
  const label = labelOf(value["by"] ?? value["custom"]);
  if (label === undefined) return undefined;
  const attempt = { action: "write a recipe", owner: "a recipe" };
  const given = { [field]: labeled(label, () => 0) };
  const bare = resolve(recipeSchema, given, attempt, table) as unknown as typeof value;
  return JSON.stringify(bare[field]) === JSON.stringify(value) ? written(label) : undefined;
}

/** A literal of what differs; undefined where nothing does. */
function differing(value: unknown, base: unknown): string | undefined {
  if (!isCells(value)) return Object.is(value, base) ? undefined : literal(value);
  if (!isCells(base) || choiceOf(value) !== choiceOf(base)) return literal(value);
  const parts = Object.entries(value).flatMap(([key, inner]) => {
    const found = differing(inner, base[key]);
    return found === undefined ? [] : [`${key}: ${found}`];
  });
  return parts.length === 0 ? undefined : `{ ${parts.join(", ")} }`;
}

function literal(value: unknown): string {
  const label = labelOf(value);
  if (label !== undefined) return written(label);
  if (!isCells(value)) return show(value);
  const parts = Object.entries(value)
    .filter(([, inner]) => inner !== "custom")
    .map(([key, inner]) => `${key}: ${literal(inner)}`);
  return `{ ${parts.join(", ")} }`;
}

const written = (label: string): string => `custom(${show(label)}, f)`;

const labelOf = (value: unknown): string | undefined =>
  isCustom(value) ? value.label : isLine(value) ? value.custom : undefined;

const choiceOf = (field: Readonly<Record<string, unknown>>): unknown => field["kind"] ?? field["level"];

const isCells = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && labelOf(value) === undefined;
