import { betweenMarkers } from "../base/betweenMarkers";
import type {
  AdvantageChoice,
  AggregateChoice,
  CarryChoice,
  FilterChoice,
  GateChoice,
  OrderChoice,
  RatioChoice,
  Recipe,
  RegulariserChoice,
  ScaleChoice,
} from "./recipe";
import { recipeNames, recipes } from "./recipes";

export const tableColumns = [
  "recipe",
  "advantage",
  "scale",
  "ratio",
  "gate",
  "aggregate",
  "order",
  "filter, reward",
  "regulariser",
] as const;

/** The cells of a row in a few characters each, in the order of `tableColumns`. */
export function tableCells(row: Recipe): string[] {
  return [
    `\`${row.name}\``,
    advantage(row.advantage),
    scale(row.scale),
    ratio(row.ratio),
    gate(row.gate),
    aggregate(row.aggregate),
    order(row.order),
    filter(row.filter, row),
    regulariser(row.regulariser),
  ];
}

/** The table of recipes as Markdown; the README's is this one. */
export function recipeTable(): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const body = recipeNames.map((name) => line(tableCells(recipes[name])));
  return [line(tableColumns), line(tableColumns.map(() => "---")), ...body].join("\n");
}

/**
 * The text with the table between its two marker comments replaced by the present one.
 *
 * @throws RangeError when a marker is missing
 */
export function withRecipeTable(text: string): string {
  return betweenMarkers(text, "recipes", recipeTable());
}

function advantage(choice: AdvantageChoice): string {
  switch (choice.kind) {
    case "mean":
      return choice.groupBy === "taskAgent" ? "mean of (task, agent)" : "mean";
    case "gae":
      return `gae, ${choice.level}`;
    case "gigpo":
      return `gigpo, w ${String(choice.weight)}`;
    case "perTurn":
      return `perTurn, ${choice.credit}`;
    default:
      return choice.kind;
  }
}

function scale(choice: ScaleChoice): string {
  return choice.kind === "batch" && choice.clamp !== null
    ? `batch, clamp ±${String(choice.clamp)}`
    : choice.kind;
}

function ratio(choice: RatioChoice): string {
  return "pooling" in choice ? `${choice.level}, ${choice.pooling}` : choice.level;
}

function gate(choice: GateChoice): string {
  switch (choice.kind) {
    case "clip":
      return `clip ${String(choice.clipLow)}/${String(choice.clipHigh)}`;
    case "dualClip":
      return `dualClip ${String(choice.clipLow)}/${String(choice.clipHigh)}, ${String(choice.dualClip)}`;
    case "sapo":
      return `sapo τ ${String(choice.tauPositive)}/${String(choice.tauNegative)}`;
    default:
      return choice.kind;
  }
}

function aggregate(choice: AggregateChoice): string {
  switch (choice.kind) {
    case "constant":
      return `constant, ${choice.length === "maximum" ? "T·L" : String(choice.length)}`;
    case "turnMean":
      return `turnMean, ${choice.over}`;
    default:
      return choice.per === "turn" ? `${choice.kind}, per turn` : choice.kind;
  }
}

function order(choice: OrderChoice): string {
  const old = choice.oldLogProb === "recomputed" ? ["old log-probs recomputed"] : [];
  const carried = choice.kind === "simultaneous" ? [] : [`carry ${carry(choice.carry)}`];
  return [choice.kind, ...carried, ...old].join("; ");
}

function carry(choice: CarryChoice): string {
  if (choice.kind === "off") return "off";
  const bounds = choice.kind === "clipped" ? ` [${String(choice.low)}, ${String(choice.high)}]` : "";
  return `${choice.kind}${bounds}, ${choice.pooling}`;
}

function filter(choice: FilterChoice, row: Recipe): string {
  const overlong = row.reward.overlong === null ? [] : ["overlong penalty"];
  const kl = row.reward.kl === null ? [] : [`KL in reward ${String(row.reward.kl.coef)}`];
  const own =
    choice.kind === "none"
      ? []
      : [choice.kind === "topStd" ? `topStd ${String(choice.fraction)}` : choice.kind];
  return [...own, ...overlong, ...kl].join("; ") || "none";
}

function regulariser(choice: RegulariserChoice): string {
  const parts: string[] = [];
  if (choice.klReference !== null) {
    parts.push(`KL ref ${String(choice.klReference.coef)}, ${choice.klReference.estimator}`);
  }
  if (choice.klOld !== null) parts.push(`KL old ${String(choice.klOld.coef)}, ${choice.klOld.estimator}`);
  if (choice.entropyCoef !== 0) parts.push(`entropy ${String(choice.entropyCoef)}`);
  if (choice.clippingTriggered.kind !== "off") parts.push(choice.clippingTriggered.kind);
  return parts.join("; ") || "none";
}
