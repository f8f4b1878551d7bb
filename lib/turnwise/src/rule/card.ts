import { card, type Card } from "../base/card";
import { citations } from "./citations";
import { compareRecipes, type Difference } from "./compare";
import type { Recipe } from "./recipe";
import { recipeNames, recipes } from "./recipes";
import { tableCells, tableColumns } from "./table";

/** True for a rule: it is plain data, so it is known by its fields. */
export function isRecipe(value: unknown): value is Recipe {
  if (typeof value !== "object" || value === null || !("name" in value)) return false;
  const { name } = value;
  if (typeof name !== "string" || !Object.hasOwn(recipes, name)) return false;
  return Object.keys(recipes[name as Recipe["name"]]).every((field) => Object.hasOwn(value, field));
}

/** A rule as a notebook shows it: its fields, and those in which it differs from the rule it was made of or lies nearest to. */
export function recipeCard(rule: Recipe): Card {
  const original = recipes[rule.name];
  const changed = compareRecipes(original, rule).differences.length > 0;
  const other = changed ? original : nearestRule(rule);
  const { differences } = compareRecipes(rule, other);
  const otherName = changed ? `recipe("${other.name}")` : other.name;
  const labels = tableCells(rule);
  const rows = [
    ...tableColumns.slice(1).map((column, k) => [column, labels[k + 1]!, differing(column, differences)]),
    ["update", updateLabel(rule), differing("update", differences)],
    ...(rule.loss ? [["loss", rule.loss.label, differing("loss", differences)]] : []),
  ];
  return card({
    title: `${citations[rule.name].title} (${rule.name}${changed ? ", changed" : ""})`,
    about: citations[rule.name].source,
    head: ["choice", "this rule", changed ? `${otherName} has` : `the nearest rule, ${otherName}, has`],
    rows,
    next: [
      { does: "To change a field", code: `recipe("${rule.name}", { gate: { clipHigh: 0.28 } })` },
      { does: "Its equation and source", code: changed ? "explain(rule)" : `explain("${rule.name}")` },
    ],
  });
}

/** The table of rules: a row for each, with its cells in a few characters. */
export function recipesCard(): Card {
  const plain = (cells: readonly string[]): string[] => cells.map((cell) => cell.replaceAll("`", ""));
  return card({
    title: "Update rules",
    about: "Every rule is a row; change a field, and the rule changes with it.",
    head: tableColumns,
    rows: recipeNames.map((name) => plain(tableCells(recipes[name]))),
    next: [{ does: "One of them", code: `recipe("grpo")` }],
  });
}

/** True for `recipes` itself, and for a copy of it. */
export function isRecipeTable(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && recipeNames.every((name) => Object.hasOwn(value, name))
  );
}

/** The rule that differs in the fewest choices, then in the fewest fields; the earlier one of the table where several do. */
function nearestRule(rule: Recipe): Recipe {
  const others = recipeNames
    .filter((name) => name !== rule.name)
    .map((name) => {
      const rules = compareRecipes(rule, recipes[name]).differences.filter(
        ({ field }) => choiceOf(field) !== "update",
      );
      return { name, choices: new Set(rules.map(({ field }) => choiceOf(field))).size, fields: rules.length };
    })
    .filter(({ fields }) => fields > 0);
  const [nearest] = others.sort((a, b) => a.choices - b.choices || a.fields - b.fields);
  return recipes[nearest!.name];
}

const choiceOf = (field: string): string => field.split(".")[0]!;

/** Values of the other rule where this one differs, such as "clipHigh 0.2". */
function differing(column: string, differences: readonly Difference[]): string {
  const choices = column.split(", ");
  return (
    differences
      // A dash stands for a knob that the other rule's choice does not have.
      .filter(({ field, values }) => choices.includes(choiceOf(field)) && values[1] !== "–")
      .map(({ field, values }) => {
        const knob = field.split(".").slice(1).join(".");
        return `${knob === "" ? "" : `${knob} `}${values[1] ?? ""}`;
      })
      .join(", ")
  );
}

/** Passes of a rule over each batch, and its optimizer. */
export function updateLabel({ update: { epochs, minibatches, optimizer } }: Recipe): string {
  const times = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
  return `${times(epochs, "epoch")} of ${times(minibatches, "minibatch").replace(/hs$/, "hes")}; ${optimizer.kind} ${optimizer.learningRate}`;
}
