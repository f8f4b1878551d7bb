import { expectKnown } from "../base/expect";
import { bootstrapInterval } from "../base/interval";
import { Chart } from "./chart";
import { curveSpec, type CurvePoint } from "./curveSpec";

/** What a curve needs of a training record. */
export interface CurveRecord {
  readonly update: number;
  readonly metrics: Readonly<Record<string, number | undefined>>;
}

/** What `learningCurve` draws, and how. */
export interface LearningCurveOptions {
  /** A name of the metric glossary, such as `return/exact`. */
  readonly metric: string;
  readonly title?: string;
  /** Drawn as a dashed line with its value. */
  readonly optimum?: number;
  /** Coverage of the bootstrap interval over seeds. Default 0.95. */
  readonly level?: number;
}

/**
 * The mean learning curve of several runs per rule, with a bootstrap interval over seeds.
 *
 * `runs` maps the name of a series to its runs; a run is a list of records. Updates that a run lacks are left out of its
 * series, so that every point averages the same seeds.
 *
 * @throws {RangeError} if no run has the metric
 * @example
 * import { learningCurve, train, type TrainRecord } from "turnwise";
 * const records: TrainRecord[] = [];
 * for await (const record of train({ env: "LookUp-v0", recipe: "grpo", updates: 10, seed: 1 })) records.push(record);
 * learningCurve({ grpo: [records] }, { metric: "reward/mean", optimum: 1 });
 */
export function learningCurve(
  runs: Readonly<Record<string, readonly (readonly CurveRecord[])[]>>,
  options: LearningCurveOptions,
): Chart {
  expectKnown("draw a learning curve", options, ["metric", "title", "optimum", "level"]);
  const { metric, optimum, level = 0.95 } = options;
  const series = Object.keys(runs);
  const points = series.flatMap((name) => seriesPoints(name, runs[name]!, metric, level));
  if (points.length === 0) {
    const known = new Set(
      series.flatMap((name) => runs[name]!.flatMap((run) => Object.keys(run[0]?.metrics ?? {}))),
    );
    throw new RangeError(
      `Cannot draw a learning curve as the runs must hold the metric "${metric}": ` +
        `metrics found are ${[...known].join(", ") || "none"}`,
    );
  }
  const ends = series.map((name) => lastLine(points, name)).join(". ");
  const aim = optimum === undefined ? "" : ` The optimum is ${optimum.toFixed(3)}.`;
  const description = `Learning curve of ${metric} against the number of updates. ${ends}.${aim}`;
  const counts = series.map((name) => runs[name]!.length);
  const alike = counts.every((count) => count === counts[0]);
  const seeds = alike
    ? `${counts[0]} seeds`
    : `seeds (${series.map((name, i) => `${name}: ${counts[i]}`).join(", ")})`;
  const spec = curveSpec(points, series, {
    title: options.title ?? "Learning curve",
    subtitle: `mean over ${seeds}, band: ${Math.round(level * 100)} % bootstrap interval`,
    xTitle: "update",
    yTitle: metric,
    description,
    ...(optimum === undefined
      ? {}
      : { reference: { y: optimum, label: `exact optimum ${optimum.toFixed(3)}` } }),
  });
  return new Chart(spec, description);
}

function seriesPoints(
  series: string,
  runs: readonly (readonly CurveRecord[])[],
  metric: string,
  level: number,
): CurvePoint[] {
  const values = new Map<number, number[]>();
  for (const { update, metrics } of runs.flat()) {
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

function lastLine(points: readonly CurvePoint[], name: string): string {
  const last = points.filter((p) => p.series === name).at(-1);
  if (!last) return `${name}: no points`;
  const band = last.low === undefined ? "" : ` (interval ${last.low.toFixed(3)} to ${last.high!.toFixed(3)})`;
  return `${name} ends at ${last.y.toFixed(3)}${band} after ${last.x} updates`;
}
