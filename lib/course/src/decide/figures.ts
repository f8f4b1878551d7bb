import { bootstrapMean } from "turnwise/internal/base/interval";
import { createRng } from "turnwise/internal/base/rng";
import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, line, text } from "turnwise/internal/plot/trajectory/shapes";
import type { Ends } from "turnwise/internal/verdict/effect";
import { smallest, type Comparison } from "./comparisons";

const [blue, orange, green] = seriesColors as [string, string, string];
const width = 720;
const size = 16;

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const signed = (x: number): string => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(2)}`;
const dot = (x: number, y: number, r: number, fill: string, opacity = 1): string =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${String(r)}" fill="${fill}" fill-opacity="${String(opacity)}"/>`;

/** A linear axis from left to right, with its ticks. */
class Axis {
  readonly #from: number;
  readonly #to: number;
  readonly #left: number;
  readonly #right: number;

  constructor(domain: readonly [number, number], range: readonly [number, number]) {
    [this.#from, this.#to] = domain;
    [this.#left, this.#right] = range;
  }

  at(value: number): number {
    const share = (value - this.#from) / (this.#to - this.#from);
    return this.#left + share * (this.#right - this.#left);
  }

  ticks(values: readonly number[], top: number, bottom: number, label: (x: number) => string): string {
    return values
      .map(
        (value) =>
          line([this.at(value), top], [this.at(value), bottom], { opacity: 0.15 }) +
          text(this.at(value), bottom + 20, label(value), { size: 14, anchor: "middle" }),
      )
      .join("");
  }
}

const title = (words: string): string => text(2, 20, words, { size: 18, bold: true });

/** The mean of every `few` runs, in the order of the seeds. */
export function meansOfFew(finals: readonly number[], few: number): number[] {
  const groups = Math.floor(finals.length / few);
  return Array.from({ length: groups }, (_, i) => mean(finals.slice(i * few, (i + 1) * few)));
}

/** Dots that would overlap are piled upward. */
function piled(values: readonly number[], axis: Axis, bottom: number, r: number, fill: string): string {
  const heights = new Map<number, number>();
  return [...values]
    .sort((a, b) => a - b)
    .map((value) => {
      const column = Math.round(axis.at(value) / (2 * r));
      const height = heights.get(column) ?? 0;
      heights.set(column, height + 1);
      return dot(column * 2 * r, bottom - r - height * 2 * r, r, fill, 0.85);
    })
    .join("");
}

/** All runs of one rule, and the means that someone with five seeds would have reported. */
export function drawSeeds(finals: readonly number[]): Drawing {
  const axis = new Axis([0, 1], [150, 700]);
  const fives = meansOfFew(finals, 5);
  const [low, high] = [Math.min(...fives), Math.max(...fives)];
  const said = `${String(finals.length)} runs that differ in the seed alone; means of five run from ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return new Drawing({
    width,
    height: 264,
    label: `${said}. Each run's success: ${finals.map((x) => x.toFixed(2)).join(", ")}.`,
    text: said,
    content:
      title(`Five seeds can say ${low.toFixed(2)} or ${high.toFixed(2)}`) +
      axis.ticks([0, 0.25, 0.5, 0.75, 1], 36, 216, String) +
      text(425, 256, "success at the end of the run", { size, anchor: "middle" }) +
      text(140, 140, "single runs", { size, anchor: "end" }) +
      piled(finals, axis, 160, 6, blue) +
      text(140, 204, "means of five", { size, anchor: "end" }) +
      piled(fives, axis, 210, 6, orange),
  });
}

/** Means of runs that are drawn again from the runs there are, and the interval between their ends. */
export function drawBootstrap(finals: readonly number[], resamples = 1000): Drawing {
  const { low, high } = bootstrapMean(finals).at(0.95);
  const rng = createRng(0).split("bootstrap");
  const draws = Array.from({ length: resamples }, () =>
    mean(finals.map(() => finals[Math.floor(rng.next() * finals.length)]!)),
  );
  const axis = new Axis([0.5, 0.85], [40, 700]);
  const bins = new Map<number, number>();
  const step = 0.01;
  for (const x of draws) bins.set(Math.floor(x / step), (bins.get(Math.floor(x / step)) ?? 0) + 1);
  const highest = Math.max(...bins.values());
  const bars = [...bins].map(([bin, count]) => {
    const height = (130 * count) / highest;
    const isInside = (bin + 0.5) * step >= low && (bin + 0.5) * step <= high;
    return box(axis.at(bin * step) + 1, 190 - height, axis.at(step) - axis.at(0) - 2, height, {
      fill: isInside ? blue : orange,
      radius: 1,
    });
  });
  const said = `mean ${mean(finals).toFixed(2)}, interval ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return new Drawing({
    width,
    height: 272,
    label: `The means of ${String(resamples)} draws of ${String(finals.length)} runs, with replacement: ${said}.`,
    text: said,
    content:
      title(`The mean of forty runs is known to lie between ${low.toFixed(2)} and ${high.toFixed(2)}`) +
      axis.ticks([0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85], 40, 190, (x) => x.toFixed(2)) +
      bars.join("") +
      line([axis.at(low), 226], [axis.at(high), 226], { stroke: blue, width: 5 }) +
      diamond(axis.at(mean(finals)), 226) +
      text(370, 260, "mean success of the runs drawn", { size, anchor: "middle" }),
  });
}

const diamond = (x: number, y: number): string =>
  `<path d="M${x.toFixed(1)} ${String(y - 8)}l8 8l-8 8l-8 -8z" fill="${orange}"/>`;

const verdictColor: Readonly<Record<string, string>> = { holds: green, refuted: orange };

/** An interval with its mean, in a row of a chart. */
function interval(axis: Axis, y: number, { low, high }: Ends, color: string, thick = 5): string {
  return line([axis.at(low), y], [axis.at(high), y], { stroke: color, width: thick });
}

/** A comparison with its name and its verdict on a row of a chart. */
export interface Row {
  readonly name: string;
  readonly comparison: Comparison;
}

const frame = (axis: Axis, bottom: number): string =>
  box(axis.at(-smallest), 40, axis.at(smallest) - axis.at(-smallest), bottom - 40, {
    fill: "currentColor",
    fillOpacity: 0.12,
    radius: 0,
  }) +
  axis.ticks([-0.4, -0.2, 0, 0.2, 0.4], 40, bottom, (x) => (x === 0 ? "0" : signed(x))) +
  line([axis.at(0), 40], [axis.at(0), bottom], { opacity: 0.7 });

/** One comparison for each verdict: the interval against the smallest effect of interest. */
export function drawSmallest(rows: readonly Row[]): Drawing {
  const axis = new Axis([-0.45, 0.45], [190, 500]);
  const bottom = 50 + rows.length * 44;
  const lines = rows.map(({ name, comparison: { all, alone } }, i) => {
    const y = 70 + i * 44;
    const color = verdictColor[alone] ?? "currentColor";
    return (
      text(182, y + 6, name, { size, anchor: "end" }) +
      interval(axis, y, all.at(0.95), color) +
      dot(axis.at(all.mean), y, 6, color) +
      text(514, y + 6, alone, { size, bold: true })
    );
  });
  const said = rows.map(
    ({ name, comparison: { all, alone } }) =>
      `${name}: ${signed(all.mean)}, ${signed(all.at(0.95).low)} to ${signed(all.at(0.95).high)}, ${alone}`,
  );
  return new Drawing({
    width,
    height: bottom + 58,
    label: `A verdict is read off the interval and the band of ±${String(smallest)}. ${said.join(". ")}.`,
    text: said.join("\n"),
    content:
      title(`Gray: less than ${String(100 * smallest)} points of success, too small to matter`) +
      frame(axis, bottom) +
      lines.join("") +
      text(345, bottom + 48, "success gained over plain GRPO", { size, anchor: "middle" }),
  });
}

/** Comparisons that all seeds together would call a gain, and each half by itself. */
export function drawHalves(rows: readonly Row[]): Drawing {
  const axis = new Axis([-0.45, 0.45], [190, 500]);
  const bottom = 46 + rows.length * 74;
  const lines = rows.map(({ name, comparison: { all, halves, alone, decided } }, i) => {
    const y = 62 + i * 74;
    const of = ({ at }: Comparison["all"], k: number): string =>
      interval(axis, y + k * 20, at(0.95), k === 0 ? "currentColor" : blue, k === 0 ? 5 : 3);
    return (
      text(182, y + 26, name, { size, anchor: "end" }) +
      [all, ...halves].map(of).join("") +
      text(514, y + 6, `all seeds: ${alone}`, { size }) +
      text(514, y + 36, `decided: ${decided}`, { size, bold: true })
    );
  });
  const said = rows.map(
    ({ name, comparison: { halves, alone, decided } }) =>
      `${name}: all seeds ${alone}; halves from ${halves.map(({ at }) => signed(at(0.95).low)).join(" and ")}: ${decided}`,
  );
  return new Drawing({
    width,
    height: bottom + 58,
    label: `The interval of all forty seeds, and below it those of seeds 0 to 19 and 20 to 39. ${said.join(". ")}.`,
    text: said.join("\n"),
    content:
      title("Thick: all forty seeds. Thin: seeds 0 to 19, and seeds 20 to 39") +
      frame(axis, bottom) +
      lines.join("") +
      text(345, bottom + 48, "success gained over plain GRPO", { size, anchor: "middle" }),
  });
}

/** Chance of at least one false alarm among so many comparisons at 5% each, where none has an effect. */
export const falseAlarm = (comparisons: number): number =>
  1 - Array.from({ length: comparisons }, () => 0.95).reduce((product, x) => product * x, 1);

/** The chance of a false alarm in a family, and the interval that Holm's procedure leaves to a comparison. */
export function drawHolm(family: number, example: Row): Drawing {
  const counts = [1, 5, 10, 20, family];
  const bars = counts.map((count, i) => {
    const x = 30 + i * 66;
    const height = 150 * falseAlarm(count);
    return (
      box(x, 210 - height, 44, height, { fill: orange, radius: 2 }) +
      text(x + 22, 202 - height, `${(100 * falseAlarm(count)).toFixed(0)}%`, { size, anchor: "middle" }) +
      text(x + 22, 230, String(count), { size, anchor: "middle" })
    );
  });
  const { all, level } = example.comparison;
  const axis = new Axis([0, 0.5], [420, 680]);
  const rows = [
    { name: "alone, at 95%", ends: all.at(0.95) },
    { name: `one of ${String(family)}, at ${(100 * level).toFixed(1)}%`, ends: all.at(level) },
  ];
  const lines = rows.map(({ name, ends }, i) => {
    const y = 96 + i * 62;
    return (
      text(420, y - 14, name, { size }) +
      interval(axis, y, ends, i === 0 ? "currentColor" : blue) +
      dot(axis.at(all.mean), y, 6, i === 0 ? "currentColor" : blue)
    );
  });
  const said = [
    ...counts.map((count) => `${String(count)}: ${(100 * falseAlarm(count)).toFixed(0)}%`),
    ...rows.map(
      ({ name, ends: { low, high } }) => `${example.name}, ${name}: ${signed(low)} to ${signed(high)}`,
    ),
  ];
  return new Drawing({
    width,
    height: 276,
    label: `Chance of a false alarm by the number of comparisons, and an interval alone and in the family. ${said.join("; ")}.`,
    text: said.join("\n"),
    content:
      title(`Ask ${String(family)} times, and chance alone answers yes`) +
      line([20, 210], [350, 210], { opacity: 0.5 }) +
      bars.join("") +
      text(185, 262, "comparisons at 5% each: a false alarm", { size, anchor: "middle" }) +
      text(420, 50, example.name, { size, bold: true }) +
      axis.ticks([0, 0.25, 0.5], 60, 210, (x) => (x === 0 ? "0" : signed(x))) +
      lines.join("") +
      text(550, 262, "success gained", { size, anchor: "middle" }),
  });
}
