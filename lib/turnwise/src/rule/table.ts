import { betweenMarkers } from "../base/betweenMarkers";
import { markdownTable } from "../base/markdownTable";
import { advantageOf } from "./advantage";
import { aggregateOf } from "./aggregate";
import { correctionOf } from "./correction";
import { filterOf } from "./filter";
import { forksOf } from "./forks";
import { gateOf } from "./gate";
import { orderLabel } from "./order";
import { ratioOf } from "./ratio";
import type { Recipe } from "./recipe";
import { recipeGroups, recipes } from "./recipes";
import { regularizerLabel } from "./regularizer";
import { rewardLabels } from "./reward";
import { scaleOf } from "./scale";
import { stepScaleOf } from "./stepScale";

/** The columns of the printed table, and a row's cell in each. */
const columns: Readonly<Record<string, (rule: Recipe) => string>> = {
  recipe: ({ name }) => `\`${name}\``,
  advantage: ({ advantage }) => advantageOf(advantage).label(advantage),
  scale: ({ scale }) => scaleOf(scale).label(scale),
  correction: ({ correction, update: { stepScale } }) => {
    const label = correctionOf(correction).label(correction);
    const { active, label: labelOf } = stepScaleOf(stepScale);
    if (!active) return label;
    return [...(label === "none" ? [] : [label]), labelOf(stepScale)].join("; ");
  },
  // A whole loss stands where its parts would.
  ratio: ({ ratio, loss }) => (loss ? "–" : ratioOf(ratio).label(ratio)),
  gate: ({ gate, loss }) => (loss ? `loss ${loss.label}` : gateOf(gate).label(gate)),
  aggregate: ({ aggregate, loss }) => (loss ? "–" : aggregateOf(aggregate).label(aggregate)),
  order: ({ order }) => orderLabel(order),
  "filter, reward": ({ demonstrations, filter, forks, reward }) => {
    const chosen = filterOf(filter).label(filter);
    const left = forksOf(forks).label(forks);
    const parts = [
      ...(demonstrations > 0 ? [`${demonstrations} demonstration of each group`] : []),
      ...(chosen === "none" ? [] : [chosen]),
      ...(left === "none" ? [] : [`forks ${left}`]),
      ...rewardLabels(reward),
    ];
    return parts.join("; ") || "none";
  },
  regularizer: ({ regularizer, loss }) => (loss ? "–" : regularizerLabel(regularizer)),
};

export const tableColumns = Object.keys(columns);

/** The fields of a rule in a few characters each, in the order of `tableColumns`. */
export function tableCells(rule: Recipe): string[] {
  return Object.values(columns).map((cell) => cell(rule));
}

/** The table of recipes as Markdown, in parts; the README's is this one. */
export function recipeTable(): string {
  return recipeGroups
    .map(({ title, names }) => {
      const rows = names.map((name) => tableCells(recipes[name]));
      return `**${title}**\n\n${markdownTable(tableColumns, rows)}`;
    })
    .join("\n\n");
}

/**
 * The text with the table between its two marker comments replaced by the present one.
 *
 * @throws {RangeError} if a marker is missing
 */
export function withRecipeTable(text: string): string {
  return betweenMarkers(text, "recipes", recipeTable());
}
