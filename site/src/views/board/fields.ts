import { recipe, type Recipe, type RecipeName, type RecipeOverrides } from "turnwise/rule";
import { recipeSchema } from "turnwise/internal/rule/schema";
import { knobsOf } from "turnwise/internal/schema/index";
import type { Field } from "./protocol";

type Knob = ReturnType<typeof knobsOf>[number];

const offered: readonly Knob["type"][] = ["choice", "word", "switch", "flag", "number", "whole"];
const knobs = knobsOf(recipeSchema).filter(({ type }) => offered.includes(type));

/** Value of a rule at a path: of a choice its name, of a group "on", of one that is off "off". */
function valueAt(rule: Recipe, path: string): string {
  let inside: unknown = rule;
  for (const key of path.split(".")) inside = (inside as Readonly<Record<string, unknown>> | null)?.[key];
  if (typeof inside !== "object") return String(inside);
  if (inside === null) return "off";
  const { kind, level } = inside as { readonly kind?: unknown; readonly level?: unknown };
  return String(kind ?? level ?? "on");
}

const isThere = (rule: Recipe, { when }: Knob): boolean =>
  Object.entries(when).every(([path, value]) => valueAt(rule, path) === value);

/** About ten values of a number, from its slider if it has one, else around the one that it has. */
function ladder(
  { type, slider, minimum = -Infinity, maximum = Infinity, default: initial }: Knob,
  own: string,
) {
  const base = Number(own) || Number(initial) || 1;
  const evenly = (from: number, to: number): number[] =>
    Array.from({ length: 6 }, (_, i) => from + ((to - from) * i) / 5);
  const values =
    type === "whole"
      ? [base - 2, base - 1, base + 1, base + 2, 2 * base, 4 * base]
      : slider && "log" in slider && slider.log
        ? [-4, -3, -2, -1, 0, 1, 2].flatMap((power) => [1, 2, 3, 5].map((digit) => digit * 10 ** power))
        : slider
          ? evenly(slider.min, slider.max)
          : maximum === 1 && minimum === 0
            ? [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1]
            : [0, base / 4, base / 2, 2 * base, 4 * base];
  const from = Math.max(minimum, slider?.min ?? -Infinity);
  const to = Math.min(maximum, slider?.max ?? Infinity);
  const rounded = values
    .map((value) => (type === "whole" ? Math.round(value) : Number(value.toPrecision(3))))
    .filter((value) => value >= from && value <= to);
  return [...new Set(rounded)].sort((a, b) => a - b).map(String);
}

function valuesOf(knob: Knob, own: string): readonly string[] {
  switch (knob.type) {
    case "switch":
      return ["off", "on"];
    case "flag":
      return ["true", "false"];
    case "number":
    case "whole":
      return ladder(knob, own);
    default:
      return knob.values ?? [];
  }
}

/** The overrides that a path and a value stand for. */
function overridesOf({ path, type }: Knob, value: string): RecipeOverrides {
  const inner =
    type === "switch"
      ? value === "on"
        ? {}
        : null
      : type === "flag"
        ? value === "true"
        : type === "number" || type === "whole"
          ? Number(value)
          : value;
  return path.split(".").reduceRight<unknown>((inside, key) => ({ [key]: inside }), inner) as RecipeOverrides;
}

function fits(rule: Recipe, knob: Knob, value: string): boolean {
  try {
    recipe(rule, overridesOf(knob, value));
    return true;
  } catch {
    return false;
  }
}

/** Every field of a rule that can be changed, with the values that fit the rest of it. */
export function fieldsOf(name: string): Field[] {
  const rule = recipe(name as RecipeName);
  return knobs
    .filter((knob) => isThere(rule, knob))
    .flatMap((knob) => {
      const own = valueAt(rule, knob.path);
      const others = valuesOf(knob, own).filter((value) => value !== own);
      const isNumber = knob.type === "number" || knob.type === "whole";
      // Where the ends of a number's range fit, all that is between them does.
      const isWhole = isNumber && [others[0], others.at(-1)].every((one) => one && fits(rule, knob, one));
      const values = isWhole ? others : others.filter((value) => fits(rule, knob, value));
      return values.length === 0 ? [] : [{ path: knob.path, help: knob.help, own, values }];
    });
}

/**
 * A rule with one change, "path~value".
 *
 * @throws {RangeError} if the rule has no such field, or the field no such value
 */
export function changedRule(name: string, change: string): Recipe {
  const rule = recipe(name as RecipeName);
  if (change === "") return rule;
  const [path = "", value = ""] = change.split("~");
  const knob = knobs.find((one) => one.path === path && isThere(rule, one));
  if (knob === undefined || !valuesOf(knob, valueAt(rule, path)).includes(value))
    throw new RangeError(`Cannot change ${name}: no field "${path}" of it has the value "${value}".`);
  return recipe(rule, overridesOf(knob, value));
}
