import { hypot } from "../base/elementary/hypot";
import { atan2 } from "../base/elementary/inverseTrigonometric";
import { decimatePath } from "./decimate";
import { neutralColor, seriesColors, seriesDashes } from "./palette";
import { ruleColor, seriesStyles, type SeriesStyle } from "./ruleStyle";

/** A point in the plane of the drawing. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

/** An arrow of a vector field, along which the return changes by `gain`. */
export interface PlaneArrow extends PlanePoint {
  readonly dx: number;
  readonly dy: number;
  readonly gain: number;
}

/** Encodings of both axes for a field of the data. */
export interface Axes {
  x(field: string): object;
  y(field: string): object;
}

const rises = "return rises or stays";
const falls = "return falls";
const dotAt = { start: "circle", end: "diamond" };

/** The return as a gray background, pale enough for gray arrows, and the same on light and dark pages. */
export const shadeOfReturn = {
  field: "J",
  type: "quantitative",
  scale: { range: [0, 0.35], zero: false },
  legend: { title: "J", orient: "right", format: ".2f", symbolType: "square", symbolFillColor: neutralColor },
} as const;

/** Whether the return falls by more than round-off. */
export const isFall = (gain: number): boolean => gain < -1e-12;

/**
 * The arrows of a field, scaled together so that the longest has length `longest`. Color and dash mark falls of the return.
 * Under paths the other arrows are gray, so that the paths stand out.
 */
export function arrowLayers(
  field: readonly PlaneArrow[],
  axes: Axes,
  o: { longest: number; muted: boolean },
): object[] {
  const most = Math.max(...field.map(({ dx, dy }) => hypot(dx, dy)), Number.MIN_VALUE);
  const zoom = o.longest / most;
  const values = field.map(({ x, y, dx, dy, gain }) => ({
    x,
    y,
    x2: x + dx * zoom,
    y2: y + dy * zoom,
    // Vega measures a mark's angle in degrees, clockwise from the top.
    angle: (atan2(dx, dy) * 180) / Math.PI,
    change: isFall(gain) ? falls : rises,
  }));
  // The legend explains only what is there.
  const styles = [
    { change: rises, color: o.muted ? neutralColor : seriesColors[0], dash: [1, 0] },
    { change: falls, color: seriesColors[1], dash: [4, 3] },
  ].filter(({ change }) => values.some((arrow) => arrow.change === change));
  const names = styles.map((style) => style.change);
  const change = nominal("change", names, styles.map(({ color }) => color)); // prettier-ignore
  const strokeDash = nominal("change", names, styles.map(({ dash }) => dash)); // prettier-ignore
  return [
    {
      data: { values },
      mark: { type: "rule", strokeWidth: o.muted ? 1.5 : 2 },
      encoding: {
        x: axes.x("x"),
        y: axes.y("y"),
        x2: { field: "x2" },
        y2: { field: "y2" },
        color: change,
        strokeDash,
      },
    },
    {
      data: { values },
      mark: { type: "point", shape: "triangle", filled: true, size: 60, opacity: 1 },
      encoding: {
        x: axes.x("x2"),
        y: axes.y("y2"),
        angle: { field: "angle", type: "quantitative", scale: null },
        color: change,
      },
    },
  ];
}

/** One legend for all encodings of a field: Vega-Lite merges equal ones. */
function nominal(field: string, domain: readonly string[], range: readonly unknown[]): object {
  const symbol = { symbolType: "stroke", symbolStrokeWidth: 3, symbolSize: 400, symbolOpacity: 1 };
  const legend = { orient: "bottom", direction: "vertical", columns: 1, ...symbol };
  return { field, type: "nominal", title: null, scale: { domain, range }, legend };
}

/** Paths across the field, told apart by color and dash, each from a circle to a diamond. */
export function pathLayers(paths: Readonly<Record<string, readonly PlanePoint[]>>, axes: Axes): object[] {
  const names = Object.keys(paths);
  if (names.length === 0) return [];
  const styles = pathStyles(names);
  const color = nominal("path", names, styles.map((style) => style.color)); // prettier-ignore
  const strokeDash = nominal("path", names, styles.map((style) => style.dash)); // prettier-ignore
  const lines = names.flatMap((path) =>
    decimatePath(paths[path]!, 200).map(({ x, y }, step) => ({ path, step, x: rounded(x), y: rounded(y) })),
  );
  const ends = names.flatMap((path) => {
    const line = paths[path]!;
    return [
      { path, at: "start", ...line[0]! },
      { path, at: "end", ...line.at(-1)! },
    ].map(({ at, x, y }) => ({ path, at, x, y }));
  });
  const shape = {
    field: "at",
    type: "nominal",
    scale: { domain: Object.keys(dotAt), range: Object.values(dotAt) },
    legend: null,
  };
  return [
    {
      data: { values: lines },
      mark: { type: "line", strokeWidth: 3 },
      encoding: {
        x: axes.x("x"),
        y: axes.y("y"),
        order: { field: "step", type: "quantitative" },
        color,
        strokeDash,
      },
    },
    {
      data: { values: ends },
      mark: { type: "point", filled: true, size: 140, opacity: 1 },
      encoding: { x: axes.x("x"), y: axes.y("y"), shape, color },
    },
  ];
}

/** Rules have their own styles. Other paths have all but orange, which means a fall of the return here. */
function pathStyles(names: readonly string[]): readonly SeriesStyle[] {
  if (names.every((name) => ruleColor(name) !== undefined)) return seriesStyles(names);
  const colors = seriesColors.filter((_, i) => i !== 1);
  return names.map((_, i) => ({
    color: colors[i % colors.length]!,
    dash: seriesDashes[i % seriesDashes.length]!,
  }));
}

/** Rounds to a hundredth of a pixel, because a notebook stores every digit. */
const rounded = (x: number): number => Number(x.toFixed(5));

/** Text about the paths for screen readers. */
export function tellPaths<P>(
  paths: Readonly<Record<string, readonly P[]>>,
  tell: (point: P) => string,
): string {
  return Object.entries(paths)
    .map(
      ([name, line]) =>
        ` ${name} goes from ${tell(line[0]!)} to ${tell(line.at(-1)!)} in ${line.length - 1} steps.`,
    )
    .join("");
}

/** @throws {RangeError} if a path has no point or there are more paths than distinct styles */
export function checkPaths(paths: Readonly<Record<string, readonly unknown[]>>): void {
  const empty = Object.keys(paths).find((name) => paths[name]!.length === 0);
  if (empty !== undefined) {
    throw new RangeError(`Cannot draw a path: it must have a point, but "${empty}" has none.`);
  }
  const most = seriesColors.length - 1;
  if (Object.keys(paths).length > most) {
    throw new RangeError(
      `Cannot draw paths: there must be at most ${most}, got ${Object.keys(paths).length}.`,
    );
  }
}
