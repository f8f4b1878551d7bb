import { displaySymbol, type MimeBundle } from "../base/display";
import { isCustom, type Custom } from "./custom/custom";
import { customFunctions } from "./custom/customFunctions";
import type { Recipe } from "./recipe";
import { withFormerNames } from "../schema";
import { recipe } from "./recipes";
import type { RecipeNameInput } from "./deprecatedNames";
import { show } from "../base/show";

/** One field in which rules differ: its path in the rule, and its value in each. */
export interface Difference {
  readonly field: string;
  readonly values: readonly string[];
  /** @deprecated Use `field`. */
  readonly cell?: string;
}

/** Rules side by side, reduced to the fields in which they differ. */
export class Comparison {
  constructor(
    readonly names: readonly string[],
    readonly differences: readonly Difference[],
  ) {}

  toString(): string {
    if (this.differences.length === 0) return `${this.names.join(" and ")} are the same rule`;
    return this.differences.map(({ field, values }) => `${field}: ${values.join(" | ")}`).join("\n");
  }

  [displaySymbol](): MimeBundle {
    const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
    const table = [
      line(["field", ...this.names]),
      line(["---", ...this.names.map(() => "---")]),
      ...this.differences.map(({ field, values }) => line([field, ...values])),
    ];
    return {
      "text/markdown": this.differences.length === 0 ? this.toString() : table.join("\n"),
      "text/plain": this.toString(),
    };
  }
}

/**
 * The fields in which two or more rules differ; a field that a rule does not have is shown as a dash.
 *
 * @throws {RangeError} if there are fewer than two rules or a name is unknown
 * @example
 * import { compareRecipes, recipe } from "turnwise";
 * const wider = recipe("grpo", { gate: { clipHigh: 0.28 } });
 * compareRecipes("grpo", wider).differences; // => [{ field: "gate.clipHigh", values: ["0.2", "0.28"] }]
 */
export function compareRecipes(...of: readonly (RecipeNameInput | Recipe)[]): Comparison {
  if (of.length < 2) {
    throw new RangeError(`Cannot compare recipes: there must be at least two, got ${String(of.length)}.`);
  }
  const rules = of.map((one) => (typeof one === "string" ? recipe(one) : one));
  const nameOf = namesIn(rules);
  const flat = rules.map(({ name: _, ...fields }) => leaves(fields, nameOf));
  const column = (field: string): number => Object.keys(rules[0]!).indexOf(field.split(".")[0]!);
  const fields = [...new Set(flat.flatMap((row) => [...row.keys()]))].sort((a, b) => column(a) - column(b));
  const differences = fields
    .map((field) => ({ field, values: flat.map((row) => row.get(field) ?? "–") }))
    .filter(({ values }) => new Set(values).size > 1)
    .map((difference): Difference => withFormerNames(difference, { cell: "field" }));
  return new Comparison(
    rules.map(({ name }) => name),
    differences,
  );
}

/** Name of a custom function: its label, with a number if the rules have several functions of that label. */
function namesIn(rules: readonly Recipe[]): (by: Custom) => string {
  const all = rules.flatMap((rule) => customFunctions(rule).map(({ by }) => by));
  return ({ label, apply }) => {
    const same = [...new Set(all.filter((one) => one.label === label).map((one) => one.apply))];
    return same.length === 1 ? label : `${label} (${same.indexOf(apply) + 1})`;
  };
}

/** Every knob by its path; the choice itself stands at the path of its field, and a custom function is told by its label. */
function leaves(value: object, nameOf: (by: Custom) => string, path = ""): Map<string, string> {
  const found = new Map<string, string>();
  const { by, ...fields } = value as { readonly by?: unknown };
  for (const [key, inner] of Object.entries(fields) as [string, unknown][]) {
    const own = key === "kind" ? path : path === "" ? key : `${path}.${key}`;
    if (inner === "custom" && isCustom(by)) found.set(own, nameOf(by));
    else if (isCustom(inner)) found.set(own, nameOf(inner));
    else if (typeof inner === "object" && inner !== null) {
      for (const [deeper, leaf] of leaves(inner, nameOf, own)) found.set(deeper, leaf);
    } else {
      found.set(own, typeof inner === "string" ? inner : inner === null ? "off" : show(inner));
    }
  }
  return found;
}
