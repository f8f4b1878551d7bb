import { Chart } from "./chart";
import { curveSpec, type CurvePoint, type CurveStyle } from "./curveSpec";

/** Titles and axes of a line chart. */
export interface LineChartOptions extends Omit<CurveStyle, "description"> {
  /** Logarithmic horizontal axis. */
  readonly logX?: boolean;
}

/**
 * Lines of several series, told apart by color and by dash, with bands where points have `low` and `high`.
 *
 * @throws {RangeError} if there is no point
 * @example
 * import { lineChart } from "turnwise";
 * const squares = [1, 2, 3].map((x) => ({ x, y: x ** 2 }));
 * lineChart({ squares }, { title: "Squares", xTitle: "x", yTitle: "x squared" });
 */
export function lineChart(
  series: Readonly<Record<string, readonly Omit<CurvePoint, "series">[]>>,
  options: LineChartOptions,
): Chart {
  const names = Object.keys(series);
  const points = names.flatMap((name) => series[name]!.map((point) => ({ series: name, ...point })));
  if (points.length === 0) {
    throw new RangeError("Cannot draw lines: there must be a point, got none.");
  }
  const ends = names.map((name) => {
    const line = series[name]!;
    const [first, last] = [line[0]!, line.at(-1)!];
    return `${name} goes from ${first.y.toFixed(3)} at ${first.x} to ${last.y.toFixed(3)} at ${last.x}`;
  });
  const description = `${options.title}: ${options.yTitle} against ${options.xTitle}. ${ends.join(". ")}.`;
  const { logX, ...style } = options;
  const spec = curveSpec(points, names, { ...style, description });
  const layer = (spec.layer as { encoding: { x?: object } }[]).map((part) =>
    logX && part.encoding.x
      ? {
          ...part,
          encoding: { ...part.encoding, x: { ...part.encoding.x, scale: { type: "log", nice: false } } },
        }
      : part,
  );
  return new Chart({ ...spec, layer }, description);
}
