import { expectKnown } from "../base/expect";
import { bootstrapInterval } from "../base/interval";
import { finalValues } from "../sweep/finalValues";
import { bySeries, holdsRuns, runsOf, type Runs } from "../sweep/runsOf";
import { Chart, vegaLiteSchema } from "./chart";
import { largeLetters } from "./large";
import { seriesColors } from "./palette";
import { metricLabel } from "../base/metricLabel";
import { ruleColor, seriesStyles } from "./ruleStyle";

/** A mean with its interval, drawn as a diamond and a line. */
export interface Estimate {
  readonly label: string;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** The panel in which it is drawn. */
  readonly group?: string;
  /** Single runs, drawn as dots below: where they have two peaks, no run is near the mean. */
  readonly runs?: readonly number[];
}

/** Titles and axes of an estimate chart. */
export interface EstimateChartOptions {
  readonly title: string;
  readonly subtitle?: string;
  readonly xTitle: string;
  readonly domain?: readonly [number, number];
  /** Whether a label that names a rule has the rule's color; default true. Many rules have few colors, which then repeat. */
  readonly ruleColors?: boolean;
}

/** Which numbers of runs an estimate chart shows. */
export interface RunEstimateOptions extends Partial<EstimateChartOptions> {
  /** A name of the metric glossary, such as `return/exact`. */
  readonly metric: string;
  /** The metric is averaged over so many last records of each run. Default 1. */
  readonly last?: number;
}

/**
 * Means with their intervals, one row each, above the single runs. A label that names a rule has the rule's color.
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
      'Cannot draw estimates of runs: the options must name a metric. Add metric: "reward/mean".',
    );
  }
  return chartOf(given as readonly Estimate[], options);
}

function estimatesOfRuns(given: Runs, { metric, last = 1, ...style }: RunEstimateOptions): Chart {
  expectKnown("draw estimates", style, ["title", "subtitle", "xTitle", "domain", "ruleColors"]);
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
      `${counts.join(" or ")} seeds; diamond: mean, bar: 95% bootstrap interval, dots: single seeds`,
    xTitle: style.xTitle ?? metricLabel(metric),
    ...(style.domain && { domain: style.domain }),
    ...(style.ruleColors !== undefined && { ruleColors: style.ruleColors }),
  });
}

function chartOf(estimates: readonly Estimate[], options: EstimateChartOptions): Chart {
  if (estimates.length === 0) {
    throw new RangeError("Cannot draw estimates: there must be one, got none.");
  }
  const { title, subtitle, xTitle, domain, ruleColors = true } = options;
  const labels = [...new Set(estimates.map((e) => e.label))];
  const rows = new Set(estimates.map(({ label, group = "" }) => `${group}\n${label}`)).size;
  const hasRuns = estimates.some(({ runs: own = [] }) => own.length > 0);
  // All rows fit on a screen of a lecture hall, as long as they can be told apart.
  const step = Math.max(24, Math.min(hasRuns ? 42 : 34, Math.floor(480 / rows)));
  // Where no label is a rule, colors would tell nothing that the labels do not.
  const named = ruleColors && labels.some((label) => ruleColor(label) !== undefined);
  const colors = new Map(named ? seriesStyles(labels).map(({ color }, i) => [labels[i]!, color]) : []);
  const means = estimates.map(({ label, mean, low, high, group = "", runs: own = [] }) => ({
    label,
    mean,
    low,
    high,
    group,
    bar: colors.get(label) ?? seriesColors[0],
    point: colors.get(label) ?? seriesColors[1],
    lift: own.length === 0 ? 0 : -step / 5,
  }));
  const all = estimates.flatMap(({ low, high, runs: own = [] }) => [low, high, ...own]);
  const span = domain ?? ([Math.min(...all), Math.max(...all)] as const);
  const runs = estimates.flatMap(({ label, group = "", runs: own = [] }) =>
    strip(own, span).map(({ run, shift }) => ({
      label,
      run,
      group,
      shift: (shift * step) / 42,
      dot: colors.get(label) ?? seriesColors[0],
    })),
  );
  const described = estimates.map(
    (e) =>
      `${e.group === undefined ? "" : `${e.group}, `}${e.label}: ${e.mean.toFixed(3)}${e.low === e.high ? "" : ` (${e.low.toFixed(3)} to ${e.high.toFixed(3)})`}`,
  );
  const description = `${title}. ${described.join("; ")}.`;
  const y = { field: "label", type: "ordinal", title: null, sort: labels };
  const x = (field: string): object => ({
    field,
    type: "quantitative",
    title: xTitle,
    scale: { zero: false, ...(domain === undefined ? {} : { domain: [...domain] }) },
  });
  const own = (field: string): object => ({ field, type: "nominal", scale: null, legend: null });
  const layer = [
    {
      data: { values: runs },
      mark: {
        type: "point",
        filled: true,
        size: 44,
        opacity: 0.55,
        yOffset: { expr: "datum.shift" },
      },
      encoding: { x: x("run"), y, color: own("dot") },
    },
    {
      data: { values: means },
      mark: { type: "rule", strokeWidth: 3, yOffset: { expr: "datum.lift" } },
      encoding: { x: x("low"), x2: { field: "high" }, y, color: own("bar") },
    },
    {
      data: { values: means },
      mark: {
        type: "point",
        shape: "diamond",
        filled: true,
        size: 90,
        opacity: 1,
        yOffset: { expr: "datum.lift" },
      },
      encoding: {
        x: x("mean"),
        y,
        color: own("point"),
        tooltip: [{ field: "label" }, { field: "mean", format: ".3f" }],
      },
    },
  ];
  const groups = [...new Set(means.map((m) => m.group))];
  const header = {
    $schema: vegaLiteSchema,
    description,
    title: subtitle === undefined ? title : { text: title, subtitle },
    config: largeLetters,
  };
  const size = { width: 460, height: { step } };
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

interface Dot {
  readonly run: number;
  /** Pixels down from the middle of the row. */
  readonly shift: number;
}

/** The middle of a pile below the mean, the distance of its dots, and how far it reaches from its middle, in pixels. */
const pile = { middle: 9, apart: 2.4, reach: 7.2 };

/**
 * Dots of the runs below their mean, each at its value. Those that would cover each other are piled up; in a pile that is full they
 * move together, as a dot aside would show a value that no run had.
 */
function strip(runs: readonly number[], [low, high]: readonly [number, number]): Dot[] {
  const placeOf = (run: number): number => (high > low ? Math.round((90 * (run - low)) / (high - low)) : 0);
  const heights = new Map<number, number>();
  for (const run of runs) heights.set(placeOf(run), (heights.get(placeOf(run)) ?? 0) + 1);
  const near = new Map<number, number>();
  return runs.map((run) => {
    const place = placeOf(run);
    const row = near.get(place) ?? 0;
    near.set(place, row + 1);
    const apart = Math.min(pile.apart, pile.reach / Math.floor(heights.get(place)! / 2 || 1));
    return { run, shift: pile.middle + apart * (row % 2 === 0 ? row / 2 : -(row + 1) / 2) };
  });
}
