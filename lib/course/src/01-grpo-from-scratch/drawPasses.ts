import { exp } from "turnwise/internal/base/elementary/exp";
import type { Batch } from "turnwise/internal/batch/batch";
import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";

/** Log-probs of the tokens of one batch before the first pass and after each. */
export type Passes = readonly ArrayLike<number>[];

/**
 * Chart of how likely the first words of tries are while one batch is used again and again.
 *
 * @param films log-probs of the batch's tokens after each pass, by the name of what was tried
 * @param tries index of a try, by its first word
 */
export function drawPasses(
  films: Readonly<Record<string, Passes>>,
  batch: Pick<Batch, "shape">,
  tries: Readonly<Record<string, number>>,
): Chart {
  const [, turns, tokens] = batch.shape;
  const lines = Object.entries(films).flatMap(([name, passes]) =>
    Object.entries(tries).map(([word, n]): [string, { x: number; y: number }[]] => [
      `${word}, ${name}`,
      passes.map((logProb_ntl, x) => ({ x, y: exp(logProb_ntl[n * turns * tokens]!) })),
    ]),
  );
  return lineChart(Object.fromEntries(lines), {
    title: titleOf(lines),
    subtitle: "chance of the first word after each pass over the same batch",
    xTitle: "passes over one batch",
    yTitle: "chance of the word",
    yDomain: [0, 1],
  });
}

/** The line that rises and then falls farthest says what is to be seen. */
function titleOf(lines: readonly (readonly [string, readonly { x: number; y: number }[]])[]): string {
  const falls = lines.map(([name, line]) => {
    const top = line.reduce((best, point) => (point.y > best.y ? point : best));
    return { name, top, end: line.at(-1)!, fall: top.y - line.at(-1)!.y };
  });
  const { name, top, end, fall } = falls.reduce((most, one) => (one.fall > most.fall ? one : most));
  if (fall < 0.1) return `No first word loses much, up to pass ${String(end.x)}`;
  const rise = `${name}: ${top.y.toFixed(2)} after pass ${String(top.x)}`;
  return `${rise}, ${end.y.toFixed(2)} after pass ${String(end.x)}`;
}
