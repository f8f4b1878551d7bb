import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { matchedEffectsOf } from "./claims";
import { matchedWorlds } from "./design";
import { matchedQuestions, type MatchedQuestionName } from "./questions";
import type { MatchedRun } from "./run";
import { meanOf } from "./summary";

/** The comparisons that the figure shows, in its order. */
const columns = {
  forward: "forward",
  random: "random",
  passes: "all at once, equal passes",
  steps: "all at once, equal steps",
  kl: "all at once, equal KL",
  carry: "reverse, no carry",
} as const satisfies Partial<Record<MatchedQuestionName, string>>;

/** A cell of the figure: how much better reverse order does, and what both arms took. */
interface Cell {
  readonly row: string;
  readonly column: string;
  readonly value: number;
  readonly effect: string;
  readonly interval: string;
  readonly taken: string;
}

/**
 * The difference in success between reverse order with its exact carry and each other way, in every world and with both ratios. Below each
 * difference stand the real optimizer steps and the passes over each token, reverse order's first.
 */
export function drawMatchedOrders(runs: readonly MatchedRun[]): Chart {
  const cells = (Object.keys(columns) as (keyof typeof columns)[]).flatMap((name) =>
    matchedEffectsOf(matchedQuestions[name], runs).map(({ comparison, effect, better, than }): Cell => {
      const both = (what: "optimizerSteps" | "passes", digits: number): string =>
        [better, than].map((own) => meanOf(own, what).toFixed(digits)).join(" : ");
      const { world, setting } = comparison;
      const { low, high } = effect.at(0.95);
      return {
        row: `${matchedWorlds[world].title}${setting["ratio"] === "either" ? "" : `; ${setting["ratio"]}`}`,
        column: columns[name],
        value: effect.mean,
        effect: signed(effect.mean),
        interval: `[${signed(low)}, ${signed(high)}]`,
        taken: `${both("optimizerSteps", 0)} steps, ${both("passes", 1)}`,
      };
    }),
  );
  const title = "How much better reverse order does than each other way";
  const listed = cells.map(
    ({ row, column, effect, interval, taken }) =>
      `${row}, ${column}: ${effect} ${interval} (${taken} passes)`,
  );
  const description = `${title}. ${listed.join("; ")}.`;
  const rows = [...new Set(matchedEffectsOf(matchedQuestions.passes, runs).map((_, i) => cells[i]!.row))];
  const most = Math.max(...cells.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const text = (field: keyof Cell, dy: number, fontSize: number): object => ({
    mark: { type: "text", dy, fontSize },
    encoding: {
      text: { field },
      // White letters on the darkest blue only, as in other heat maps.
      color: { condition: { test: `datum.value > ${0.9 * most}`, value: "#FFFFFF" }, value: "#111111" },
    },
  });
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: title,
        subtitle: [
          "difference of mean success, and the widest of the 95 % intervals of all seeds and of either half;",
          "below: optimizer steps, and passes over each token, reverse order first. Carry exact but for the last column",
        ],
      },
      width: { step: 170 },
      height: { step: 62 },
      data: { values: cells },
      encoding: {
        x: {
          field: "column",
          type: "ordinal",
          title: "compared with",
          sort: Object.values(columns),
          axis: { labelAngle: 0, labelExpr: inLines },
        },
        y: {
          field: "row",
          type: "ordinal",
          title: null,
          sort: rows,
          axis: { labelExpr: inLines, labelOffset: -14, labelFontSize: 13 },
        },
      },
      layer: [
        {
          mark: { type: "rect", stroke: "#808080", strokeWidth: 0.5 },
          encoding: {
            color: {
              field: "value",
              type: "quantitative",
              scale: { domain: [-most, 0, most], range: ["#D55E00", "#F7F7F7", "#0072B2"], clamp: true },
              legend: null,
            },
          },
        },
        text("effect", -17, 15),
        text("interval", 1, 13),
        text("taken", 19, 11),
      ],
      config: largeLetters,
    },
    description,
  );
}

/** Labels are too long for one line. */
const inLines = "split(replace(datum.label, '; ', ', '), ', ')";

function signed(value: number): string {
  const text = value.toFixed(2);
  if (Number(text) === 0) return "0.00";
  return value > 0 ? `+${text}` : text;
}
