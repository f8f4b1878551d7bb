import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { seriesColors } from "turnwise/internal/plot/palette";
import type { LiveRun } from "./liveRun";
import type { Transcript } from "./transcripts";

/**
 * Table of an agent's most frequent responses before its run falls and at the end, on the same tasks: how often, and
 * with which return.
 */
export function drawResponses({ said, says, saidAt, metrics }: LiveRun): Chart {
  const panels = [
    { title: `after ${saidAt} updates`, rows: said },
    { title: `after ${metrics.length} updates`, rows: says },
  ];
  const most = panels.map(({ title, rows }) => `${Math.round(100 * (rows[0]?.share ?? 0))}% ${title}`);
  const title = `Share of the most frequent answer: ${most.join(", ")}`;
  const told = panels.map((panel) => `${panel.title}: ${panel.rows.map(words).join("; ")}`);
  const description = `${title}, ${told.join(". ")}.`;
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: title,
        subtitle: "the same 64 tasks; / parts turns, beside each bar: share, and mean reward",
      },
      vconcat: panels.map(panelOf),
      resolve: { scale: { x: "shared" } },
      config: largeLetters,
    },
    description,
  );
}

const words = ({ response, share, meanReturn }: Transcript): string =>
  `${response}, ${numbers(share, meanReturn)}`;
const numbers = (share: number, reward: number): string =>
  `${Math.round(100 * share)} %, reward ${reward.toFixed(2)}`;

function panelOf({ title, rows }: { readonly title: string; readonly rows: readonly Transcript[] }): object {
  const y = {
    field: "response",
    type: "nominal",
    sort: rows.map(({ response }) => response),
    title: null,
    axis: { labelFont: "monospace" },
  };
  return {
    title: { text: title, fontSize: 15, fontWeight: "normal" },
    width: 300,
    height: { step: 34 },
    data: {
      values: rows.map((row) => ({
        ...row,
        numbers: numbers(row.share, row.meanReturn),
        color: row.meanReturn >= 0.9 ? seriesColors[0] : seriesColors[1],
      })),
    },
    encoding: {
      y,
      x: {
        field: "share",
        type: "quantitative",
        title: "share of all answers",
        scale: { domain: [0, 0.8] },
        axis: { format: ".0%", tickCount: 4 },
      },
    },
    layer: [
      { mark: { type: "bar" }, encoding: { color: { field: "color", type: "nominal", scale: null } } },
      {
        mark: { type: "text", align: "left", dx: 6, fontSize: 14 },
        encoding: { text: { field: "numbers" } },
      },
    ],
  };
}
