import { finalValues } from "turnwise/internal/sweep/finalValues";
import { bySeries, runsOf, type Runs } from "turnwise/internal/sweep/runsOf";
import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, line, text } from "turnwise/internal/plot/trajectory/shapes";

const metric = "return/exact";
/** From here on, a run counts as one that has learned the task. */
const learned = 0.9;

const width = 760;
const rowHeight = 64;
const top = 46;
const radius = 8;
const right = width - 120;

/**
 * Chart of each seed's end, one row for each rule and one dot for each seed, from a return of 0 to the best one, which
 * is 1.
 *
 * Beside a row stands how many of its seeds end above .9.
 *
 * @throws {TypeError} if these are no runs
 * @throws {RangeError} if a run lacks `return/exact`
 * @example
 * import { trainSeeds } from "turnwise";
 * import { drawEnds } from "turnwise-course/grpo-from-scratch";
 * drawEnds(await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5, exactEvery: 5 }, 3));
 */
export function drawEnds(runs: Runs): Drawing {
  const rows = [...bySeries(runsOf(runs, "draw where runs end"))].map(([name, own]) => ({
    name,
    ends: finalValues(
      own.map(({ records }) => records),
      metric,
      1,
    ),
  }));
  const left = 24 + Math.max(...rows.map(({ name }) => name.length)) * 11;
  const bottom = top + rows.length * rowHeight;
  const lowest = Math.min(0, ...rows.flatMap(({ ends }) => ends));
  const place = (value: number): number => left + ((value - lowest) / (1 - lowest)) * (right - left);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      line([place(tick), top], [place(tick), bottom], { opacity: tick === 1 ? 0.9 : 0.25 }) +
      text(place(tick), bottom + 22, String(tick), { size: 17, anchor: "middle" }),
  );
  const drawn = rows.map(({ name, ends }, i) => {
    const middle = top + (i + 0.5) * rowHeight;
    const many = learnedOf(ends);
    return (
      text(left - 16, middle + 6, name, { size: 19, anchor: "end" }) +
      stacked(ends, place)
        .map(({ x, level }) => dot(x, middle + 14 - level * 7))
        .join("") +
      text(right + 16, middle + 6, `${String(many)} of ${String(ends.length)}`, { size: 19, bold: true })
    );
  });
  const title = titleOf(rows);
  const told = rows.map(({ name, ends }) => {
    const all = [...ends]
      .sort((a, b) => a - b)
      .map((end) => (Math.abs(end) < 5e-3 ? "0.00" : end.toFixed(2)));
    return `${name}: ${all.join(", ")}`;
  });
  return new Drawing({
    width,
    height: bottom + 56,
    content:
      text(2, 24, title, { size: 20, bold: true }) +
      text(right + 16, 24, "above 0.9", { size: 17 }) +
      ticks.join("") +
      drawn.join("") +
      text((left + right) / 2, bottom + 48, "exact return at the end (the best is 1), a dot for each seed", {
        size: 17,
        anchor: "middle",
      }),
    label: `${title}. ${told.join("; ")}.`,
    text: [title, ...told.map((row) => `  ${row}`)].join("\n"),
  });
}

const learnedOf = (ends: readonly number[]): number => ends.filter((end) => end > learned).length;

/** States how many seeds have learned the task, in the best row and in the worst. */
function titleOf(rows: readonly { readonly name: string; readonly ends: readonly number[] }[]): string {
  const sorted = [...rows].sort((a, b) => learnedOf(b.ends) - learnedOf(a.ends));
  const [best, worst] = [sorted[0]!, sorted.at(-1)!];
  const [most, fewest] = [learnedOf(best.ends), learnedOf(worst.ends)];
  const from = `${String(most)} of ${String(best.ends.length)}`;
  if (most === fewest) return `Seeds above ${String(learned)}: ${from}`;
  return `Seeds above ${String(learned)}: ${from} (${best.name}), ${String(fewest)} (${worst.name})`;
}

const dot = (x: number, y: number): string =>
  box(x - radius, y - radius, 2 * radius, 2 * radius, {
    fill: seriesColors[0]!,
    fillOpacity: 0.45,
    stroke: seriesColors[0]!,
    strokeWidth: 2,
    radius,
  });

/** Dots that would cover each other climb on one another. */
function stacked(
  ends: readonly number[],
  place: (end: number) => number,
): readonly { readonly x: number; readonly level: number }[] {
  const near = new Map<number, number>();
  return ends.map((end) => {
    const x = place(end);
    const bin = Math.round(x / radius);
    const level = near.get(bin) ?? 0;
    near.set(bin, level + 1);
    return { x, level: level % 5 };
  });
}
