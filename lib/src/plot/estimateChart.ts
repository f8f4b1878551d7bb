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

/**
 * Means with their intervals, one row each, on top of the single runs.
 *
 * @throws {RangeError} if there is no estimate
 * @example
 * import { bootstrapInterval, estimateChart } from "turnwise";
 * const runs = [0.8, 0.9, 1];
 * estimateChart([{ label: "grpo", runs, ...bootstrapInterval(runs) }], { title: "Return", xTitle: "reward" });
 */
export function estimateChart(estimates: readonly Estimate[], options: EstimateChartOptions): Chart {
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
