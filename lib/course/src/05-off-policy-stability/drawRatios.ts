import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, text } from "turnwise/internal/plot/trajectory/shapes";
import type { EstimatorError } from "./estimatorError";
import type { WornBatch } from "./wornBatch";

const ratios = [
  { name: "token", title: ["a token"], use: ["loses most", "when clipped"] },
  { name: "turn, geometric", title: ["a turn,", "mean"], use: ["survives", "the clip best"] },
  { name: "turn, product", title: ["a turn,", "product"], use: ["mostly", "clipped away"] },
  {
    name: "trajectory, product",
    title: ["a trajectory,", "product"],
    use: ["right on average,", "never at once"],
  },
] as const;

const left = 226;
const column = 158;
const width = left + ratios.length * column;
const height = 366;
const title = "Which ratio? What each one gets wrong, and by how much";

/**
 * The lesson on one slide: four ratios, which share of each a worn batch has outside of the clip, the bias of its gradient without and
 * with the clip, and the noise of one batch.
 */
export function drawRatios({ steps }: Pick<WornBatch, "steps">, judged: readonly EstimatorError[]): Drawing {
  const last = steps.at(-1)!;
  const of = (name: string): EstimatorError => judged.find((one) => one.name === name)!;
  const columns = ratios.map(({ name, title: head, use }) => ({
    head,
    use,
    figures: [
      `${Math.round(100 * last.spread[name]!.outside)} %`,
      share(of(name).bias),
      share(of(`${name}, clipped`).bias),
      share(of(name).deviation),
    ],
  }));
  const rows = [`outside after ${last.step} steps`, "bias, no clip", "bias, clipped", "noise of one batch"];
  const at = (row: number): number => 136 + row * 44;
  const side = rows.map((words, row) =>
    text(left - 14, at(row), words, { size: 17, anchor: "end", opacity: 0.85 }),
  );
  const drawn = columns.map(({ head, use, figures }, i) => {
    const x = left + i * column;
    const middle = x + (column - 10) / 2;
    const lines = (y: number, words: readonly string[], bold: boolean): string =>
      words
        .map((word, k) => text(middle, y + 21 * k, word, { size: bold ? 19 : 17, bold, anchor: "middle" }))
        .join("");
    return (
      box(x, 40, column - 10, height - 48, {
        ...{
          fill: seriesColors[i]!,
          fillOpacity: 0.12,
          stroke: seriesColors[i]!,
          strokeWidth: 2,
          radius: 10,
        },
      }) +
      lines(head.length === 1 ? 80 : 68, head, true) +
      figures
        .map((figure, row) => text(middle, at(row), figure, { size: 22, bold: true, anchor: "middle" }))
        .join("") +
      lines(316, use, false)
    );
  });
  const told = columns.map(
    ({ head, figures }) =>
      `${head.join(" ")}: ${figures.map((figure, row) => `${rows[row]!} ${figure}`).join("; ")}`,
  );
  return new Drawing({
    width,
    height,
    content: text(2, 24, title, { size: 19, bold: true }) + side.join("") + drawn.join(""),
    label: title,
    text: [title, ...told].join("\n"),
  });
}

const share = (x: number): string => x.toFixed(2);
