import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { neutralColor, seriesColors } from "turnwise/internal/plot/palette";
import { matchedEffectsOf } from "./claims";
import { matchedEffects, matchedSeeds, matchedWorlds, type MatchedWorld } from "./design";
import { matchedQuestions, type MatchedQuestionName } from "./questions";
import type { MatchedRun } from "./run";
import { meanOf } from "./summary";

/** The comparisons that the figure shows, in its order, each with a heading of two lines. */
const columns = {
  forward: ["first turn", "first"],
  random: ["random", "order"],
  carry: ["last first,", "no carry"],
  passes: ["all at once,", "equal passes"],
  steps: ["all at once,", "equal steps"],
  kl: ["all at once,", "equal KL"],
} as const satisfies Partial<Record<MatchedQuestionName, readonly [string, string]>>;

/** A comparison of the figure. */
export type MatchedColumn = keyof typeof columns;

const width = 540;
const rowHeight = 58;

/** A comparison of the figure: how much better the last turn first does, and what both arms took. */
interface Cell {
  readonly row: string;
  readonly column: MatchedColumn;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** The difference in each half of the seeds. */
  readonly halves: readonly number[];
  readonly steps: string;
  readonly passes: string;
}

/**
 * The difference in success between the last turn first, with its exact carry, and other ways, in every world and with both ratios: a row
 * for each, a column for each comparison. Below each difference stand the optimizer steps and the passes over each token that both arms
 * really took, those of the last turn first on the left.
 *
 * @param shown the comparisons, from left to right; default: all
 * @throws {RangeError} if an arm has no runs
 */
export function drawMatchedOrders(
  runs: readonly MatchedRun[],
  shown: readonly MatchedColumn[] = Object.keys(columns) as MatchedColumn[],
): Chart {
  const cells = shown.flatMap((name) => cellsOf(name, runs));
  const rows = [...new Set(cells.map(({ row }) => row))];
  const atEqualSteps = cellsOf("steps", runs);
  const ahead = atEqualSteps.filter(({ low }) => low > 0).length;
  const title = `At equal steps, the last turn first leads all at once in ${ahead} of ${atEqualSteps.length} settings`;
  const listed = cells.map(
    ({ row, column, mean, low, high, steps, passes }) =>
      `${row.replaceAll("\n", ", ")}, against ${columns[column].join(" ")}: ${signed(mean)} [${signed(low, 3)}, ${signed(high, 3)}] ` +
      `(${steps} steps, ${passes} passes)`,
  );
  const description = `${title} ${listed.join("; ")}.`;
  const reach = Math.max(...cells.flatMap(({ low, high }) => [-low, high]), matchedEffects.success);
  /** Place of a difference, in columns from the left. */
  const place = (column: MatchedColumn, value: number): number =>
    shown.indexOf(column) + 0.5 + (0.46 * value) / reach;
  const values = cells.map(({ row, column, mean, low, high, steps, passes }) => ({
    row,
    mean: place(column, mean),
    low: place(column, low),
    high: place(column, high),
    middle: place(column, 0),
    effect: signed(mean),
    steps,
    passes,
  }));
  const halves = cells.flatMap(({ row, column, halves: both }) =>
    both.map((half) => ({ row, half: place(column, half) })),
  );
  const bounds = shown.map((column) => ({
    zero: place(column, 0),
    from: place(column, -matchedEffects.success),
    to: place(column, matchedEffects.success),
    heading: columns[column].join("\n"),
  }));
  const x = { type: "quantitative", axis: null, scale: { domain: [0, shown.length], nice: false } };
  const y = {
    field: "row",
    type: "ordinal",
    title: null,
    sort: rows,
    axis: {
      labelExpr: "split(datum.label, '\\n')",
      labelFontSize: 13,
      labelOffset: -14,
      ticks: false,
      domain: false,
    },
  };
  const inRows = { field: "row", type: "ordinal", sort: rows };
  const up = -19;
  const text = (field: string, dy: number, fontSize: number, more: object = {}): object => ({
    mark: { type: "text", dy, fontSize, ...more },
    encoding: { x: { ...x, field: "middle" }, y: inRows, text: { field } },
  });
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: title,
        subtitle: [
          "Last turn first minus each other way: mean success, and the widest 95% interval of all seeds and of either half.",
          "Circles: the halves. Band: too small to matter. The carry is exact, unless there is none.",
          "Below: optimizer steps, and passes over each token, those of the last turn first on the left.",
        ],
        subtitleFontSize: 13,
      },
      width,
      height: { step: rowHeight },
      data: { values },
      layer: [
        {
          data: { values: bounds },
          mark: { type: "rect", color: neutralColor, opacity: 0.15 },
          encoding: { x: { ...x, field: "from" }, x2: { field: "to" } },
        },
        {
          data: { values: bounds },
          mark: { type: "rule", color: neutralColor, opacity: 0.5 },
          encoding: { x: { ...x, field: "zero" } },
        },
        {
          data: { values: bounds },
          mark: {
            type: "text",
            baseline: "bottom",
            dy: -18,
            lineBreak: "\n",
            fontSize: 13,
            fontWeight: "bold",
          },
          encoding: { x: { ...x, field: "zero" }, y: { value: 0 }, text: { field: "heading" } },
        },
        {
          mark: { type: "rule", strokeWidth: 3, color: seriesColors[0], yOffset: up },
          encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y },
        },
        {
          data: { values: halves },
          mark: {
            type: "point",
            size: 40,
            filled: false,
            strokeWidth: 1.5,
            color: neutralColor,
            opacity: 1,
            yOffset: up,
          },
          encoding: { x: { ...x, field: "half" }, y: inRows },
        },
        {
          mark: {
            type: "point",
            shape: "diamond",
            filled: true,
            size: 110,
            opacity: 1,
            color: seriesColors[1],
            yOffset: up,
          },
          encoding: { x: { ...x, field: "mean" }, y: inRows },
        },
        text("effect", -5, 13, { fontWeight: "bold" }),
        text("steps", 9, 13),
        text("passes", 23, 13),
      ],
      config: { ...largeLetters, view: { stroke: null } },
    },
    description,
  );
}

function cellsOf(name: MatchedColumn, runs: readonly MatchedRun[]): readonly Cell[] {
  return matchedEffectsOf(matchedQuestions[name], runs).map(({ comparison, effect, better, than }) => {
    const both = (what: "optimizerSteps" | "passes"): string =>
      [better, than].map((own) => Number(meanOf(own, what).toFixed(what === "passes" ? 1 : 0))).join(" : ");
    const inHalf = (own: readonly MatchedRun[], isFirst: boolean): number =>
      meanOf(
        own.filter(({ seed }) => seed < matchedSeeds.confirmFrom === isFirst),
        "success",
      );
    const { low, high } = effect.at(0.95);
    return {
      row: rowOf(comparison.world, comparison.setting["ratio"]!),
      column: name,
      mean: effect.mean,
      low,
      high,
      halves: [true, false].map((isFirst) => inHalf(better, isFirst) - inHalf(than, isFirst)),
      steps: both("optimizerSteps"),
      passes: both("passes"),
    };
  });
}

/** A world and its policy in two short lines. */
const short: Readonly<Record<MatchedWorld, string>> = {
  toolChain: "ToolChain\none model",
  toolChainApart: "ToolChain\na model per turn",
  apiChain: "ApiChain\na table",
  ladder: "Ladder\na table",
  keyDoor: "KeyDoor\none model, forgetful",
};

const rowOf = (world: MatchedWorld, ratio: string): string =>
  matchedWorlds[world].tokens === 1 ? short[world] : `${short[world]}\n${ratio} ratio`;

function signed(value: number, digits = 2): string {
  const text = value.toFixed(digits);
  if (Number(text) === 0) return (0).toFixed(digits);
  return value > 0 ? `+${text}` : text;
}
