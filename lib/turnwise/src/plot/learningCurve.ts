import type { AnyText } from "../base/anyText";
import type { MetricName } from "../base/glossary";
import { expectKnown } from "../base/expect";
import { bootstrapInterval } from "../base/interval";
import { bySeries, runsOf, type NamedRun, type Runs } from "../sweep/runsOf";
import { Chart } from "./chart";
import { curveSpec, type CurvePoint } from "./curveSpec";
import { curveTitle } from "./endTitle";
import { metricLabel } from "../base/metricLabel";

/** Content and look of a `learningCurve`. */
export interface LearningCurveOptions {
  /** A name of the metric glossary, such as `return/exact`. */
  readonly metric: MetricName | AnyText;
  /** Default: where the series end. */
  readonly title?: string;
  /** Drawn as a dashed line with its value. */
  readonly optimum?: number;
  /** Coverage of the bootstrap interval over seeds. Default 0.95. */
  readonly level?: number;
}

/**
 * The mean learning curve of several runs per rule, with a bootstrap interval over seeds.
 *
 * `given` is the records of one run, a list of runs, what `trainSeeds` gives, several of these in a list, what a sweep with
 * `curves` gives (a series for each setting), or any of them by name. Updates that a run lacks are left out of its series,
 * so that every point averages the same seeds.
 *
 * @throws {TypeError} if it is none of these
 * @throws {RangeError} if no run has the metric
 * @example
 * import { learningCurve, trainSeeds } from "turnwise";
 * const setting = { env: "LookUp-v0", updates: 5 };
 * const grpo = await trainSeeds({ ...setting, recipe: "grpo" }, 3);
 * const rloo = await trainSeeds({ ...setting, recipe: "rloo" }, 3);
 * learningCurve({ grpo, rloo }, { metric: "reward/mean", optimum: 1 });
 */
export function learningCurve(given: Runs, options: LearningCurveOptions): Chart {
  expectKnown("draw a learning curve", options, ["metric", "title", "optimum", "level"]);
  const { metric, optimum, level = 0.95 } = options;
  const runs = bySeries(runsOf(given, "draw a learning curve"));
  const series = [...runs.keys()];
  const points = series.flatMap((name) => seriesPoints(name, runs.get(name)!, metric, level));
  if (points.length === 0) {
    const all = [...runs.values()].flat();
    const known = new Set(all.flatMap(({ records }) => Object.keys(records[0]?.metrics ?? {})));
    throw new RangeError(
      `Cannot draw a learning curve: the runs must hold the metric "${metric}", ` +
        `but metrics found are ${[...known].join(", ") || "none"}.`,
    );
  }
  const ends = series.map((name) => lastLine(points, name)).join(". ");
  const aim = optimum === undefined ? "" : ` The optimum is ${optimum.toFixed(3)}.`;
  const description = `Learning curve of ${metric} against the number of updates. ${ends}.${aim}`;
  const counts = series.map((name) => runs.get(name)!.length);
  const alike = counts.every((count) => count === counts[0]);
  const single = counts.every((count) => count === 1);
  const seeds = alike
    ? `${counts[0]} seeds`
    : `seeds (${series.map((name, i) => `${name}: ${counts[i]}`).join(", ")})`;
  const dots = series.flatMap((name) => endsOf(points, name, runs.get(name)!, metric));
  const spec = curveSpec(points, series, {
    title: options.title ?? curveTitle(points, series),
    subtitle: single
      ? `one seed${series.length > 1 ? " each" : ""}, and so no interval`
      : `mean over ${seeds}, band: ${Math.round(level * 100)} % bootstrap interval` +
        `${dots.length > 0 ? ", dots: where each ends" : ""}`,
    xTitle: "update",
    yTitle: metricLabel(metric),
    description,
    dots,
    ...(optimum === undefined
      ? {}
      : { reference: { y: optimum, label: `exact optimum ${optimum.toFixed(3)}` } }),
  });
  return new Chart(spec, description);
}

function seriesPoints(
  series: string,
  runs: readonly NamedRun[],
  metric: string,
  level: number,
): CurvePoint[] {
  const values = new Map<number, number[]>();
  for (const { update, metrics } of runs.flatMap(({ records }) => records)) {
    const y = metrics[metric];
    if (y === undefined) continue;
    const at = values.get(update);
    if (at) at.push(y);
    else values.set(update, [y]);
  }
  return [...values]
    .filter(([, ys]) => ys.length === runs.length)
    .sort(([a], [b]) => a - b)
    .map(([x, ys]) => {
      const { mean, low, high } = bootstrapInterval(ys, { level, resamples: 400 });
      return ys.length > 1 ? { series, x, y: mean, low, high } : { series, x, y: mean };
    });
}

/** End of each seed, at the last update that all of them have; nothing for a single seed, which is the line itself. */
function endsOf(
  points: readonly CurvePoint[],
  series: string,
  runs: readonly NamedRun[],
  metric: string,
): { series: string; x: number; y: number }[] {
  const x = points.filter((p) => p.series === series).at(-1)?.x;
  if (x === undefined || runs.length < 2) return [];
  return runs.flatMap(({ records }) => {
    const y = records.find(({ update }) => update === x)?.metrics[metric];
    return y === undefined ? [] : [{ series, x, y }];
  });
}

function lastLine(points: readonly CurvePoint[], name: string): string {
  const last = points.filter((p) => p.series === name).at(-1);
  if (!last) return `${name}: no points`;
  const band = last.low === undefined ? "" : ` (interval ${last.low.toFixed(3)} to ${last.high!.toFixed(3)})`;
  return `${name} ends at ${last.y.toFixed(3)}${band} after ${last.x} updates`;
}
