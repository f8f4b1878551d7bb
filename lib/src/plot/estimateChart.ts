import { expectKnown } from "../base/expect";
import { bootstrapInterval } from "../base/interval";
import { finalValues } from "../sweep/finalValues";
import { bySeries, holdsRuns, runsOf, type Runs } from "../sweep/runsOf";
import { Chart, vegaLiteSchema } from "./chart";
import { largeLetters } from "./large";
import { neutralColor, seriesColors } from "./palette";

/** A mean with its interval, drawn as a dot and a line. */
export interface Estimate {
  readonly label: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** The panel in which it is drawn. */
  readonly group?: string;
  /** Single runs, drawn as small ticks. */
  readonly runs?: readonly number[];
}

/** Titles and axes of an estimate chart. */
export interface EstimateChartOptions {
  readonly title: string;
  readonly subtitle?: string;
  readonly xTitle: string;
  readonly domain?: readonly [number, number];
}

/** Which numbers of runs an estimate chart shows. */
export interface RunEstimateOptions extends Partial<EstimateChartOptions> {
  /** A name of the metric glossary, such as `return/exact`. */
  readonly metric: string;
  /** The metric is averaged over so many last records of each run. Default 1. */
  readonly last?: number;
}

/**
 * Means with their intervals, one row each, on top of the single runs.
 *
 * Takes estimates, or with `metric` the runs themselves: what `trainSeeds` or `sweep` gives, or several of these by name.
 *
 * @throws {RangeError} if there is no estimate, or if a run lacks the metric
 * @throws {TypeError} if the value is neither
 * @example
 * import { bootstrapInterval, estimateChart, trainSeeds } from "turnwise";
 * const runs = [0.8, 0.9, 1];
 * estimateChart([{ label: "grpo", runs, ...bootstrapInterval(runs) }], { title: "Return", xTitle: "reward" });
 * const grpo = await trainSeeds({ env: "LookUp-v0", recipe: "grpo", updates: 5 }, 3);
 * estimateChart({ grpo }, { metric: "reward/mean" });
 */
export function estimateChart(estimates: readonly Estimate[], options: EstimateChartOptions): Chart;
export function estimateChart(runs: Runs, options: RunEstimateOptions): Chart;
export function estimateChart(
  given: readonly Estimate[] | Runs,
  options: EstimateChartOptions | RunEstimateOptions,
): Chart {
  if ("metric" in options) return estimatesOfRuns(given as Runs, options);
  if (holdsRuns(given)) {
    throw new RangeError(
      'Cannot draw estimates of runs as the options must name a metric: add metric: "reward/mean"',
    );
  }
  return chartOf(given as readonly Estimate[], options);
}

function estimatesOfRuns(given: Runs, { metric, last = 1, ...style }: RunEstimateOptions): Chart {
  expectKnown("draw estimates", style, ["title", "subtitle", "xTitle", "domain"]);
  const estimates = [...bySeries(runsOf(given, "draw estimates"))].map(([label, own]): Estimate => {
    const runs = finalValues(
      own.map(({ records }) => records),
      metric,
      last,
    );
    return { label, runs, ...bootstrapInterval(runs) };
  });
  const counts = [...new Set(estimates.map(({ runs }) => runs!.length))];
  return chartOf(estimates, {
    title: style.title ?? "At the end of training",
    subtitle:
      style.subtitle ??
      `${counts.join(" or ")} seeds; point: mean, bar: 95 % bootstrap interval, ticks: single seeds`,
    xTitle: style.xTitle ?? metric,
    ...(style.domain && { domain: style.domain }),
  });
}

function chartOf(estimates: readonly Estimate[], options: EstimateChartOptions): Chart {
  if (estimates.length === 0) {
    throw new RangeError("Cannot draw estimates as there must be one: current length is 0");
  }
  const { title, subtitle, xTitle, domain } = options;
  const labels = [...new Set(estimates.map((e) => e.label))];
  const means = estimates.map(({ label, mean, low, high, group = "" }) => ({
    label,
    mean,
    low,
    high,
    group,
  }));
  const runs = estimates.flatMap(({ label, group = "", runs: own = [] }) =>
    own.map((run) => ({ label, run, group })),
  );
  const described = estimates.map(
    (e) =>
      `${e.group === undefined ? "" : `${e.group}, `}${e.label}: ${e.mean.toFixed(3)} (${e.low.toFixed(3)} to ${e.high.toFixed(3)})`,
  );
  const description = `${title}. ${described.join("; ")}.`;
  const y = { field: "label", type: "ordinal", title: null, sort: labels };
  const x = (field: string): object => ({
    field,
    type: "quantitative",
    title: xTitle,
    scale: { zero: false, ...(domain === undefined ? {} : { domain: [...domain] }) },
  });
  const layer = [
    {
      data: { values: runs },
      mark: { type: "tick", opacity: 0.6, thickness: 2, color: neutralColor },
      encoding: { x: x("run"), y },
    },
    {
      data: { values: means },
      mark: { type: "rule", strokeWidth: 3, color: seriesColors[0] },
      encoding: { x: x("low"), x2: { field: "high" }, y },
    },
    {
      data: { values: means },
      mark: { type: "point", filled: true, size: 110, opacity: 1, color: seriesColors[1] },
      encoding: { x: x("mean"), y, tooltip: [{ field: "label" }, { field: "mean", format: ".3f" }] },
    },
  ];
  const groups = [...new Set(means.map((m) => m.group))];
  const header = {
    $schema: vegaLiteSchema,
    description,
    title: subtitle === undefined ? title : { text: title, subtitle },
    config: largeLetters,
  };
  const size = { width: 460, height: { step: 34 } };
  if (groups.length === 1) return new Chart({ ...header, ...size, layer }, description);
  const panels = groups.map((group) => ({
    ...size,
    title: { text: group, fontSize: 14, fontWeight: "normal" },
    layer: layer.map((part) => ({
      ...part,
      data: { values: (part.data.values as { group: string }[]).filter((row) => row.group === group) },
    })),
  }));
  return new Chart({ ...header, vconcat: panels, resolve: { scale: { x: "shared" } } }, description);
}
