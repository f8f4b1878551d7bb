import { vegaLiteSchema, type VegaLiteSpec } from "./chart";
import { endLabels } from "./endLabels";
import { largeLetters } from "./large";
import { neutralColor } from "./palette";
import { seriesStyles } from "./ruleStyle";

/** One row of a curve: the mean of a metric at an update, with its interval when there are several seeds. */
export interface CurvePoint {
  readonly series: string;
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

export interface CurveStyle {
  readonly title: string;
  readonly subtitle?: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** A horizontal reference line, such as the exact optimum. */
  readonly reference?: { readonly y: number; readonly label: string };
  readonly description: string;
  /** Single values beside the lines, such as where each seed ends: where they have two peaks, no run is near the mean. */
  readonly dots?: readonly { readonly series: string; readonly x: number; readonly y: number }[];
  /** The range of x if it is known beforehand, which keeps the axis of a growing curve still. */
  readonly xDomain?: readonly [number, number];
  readonly yDomain?: readonly [number, number];
  readonly width?: number;
  readonly height?: number;
}

/**
 * Lines with bands, one per series, told apart by color and by dash.
 *
 * Neither the background nor the color of text is set, so that JupyterLab's themes, light and dark, both apply.
 */
export function curveSpec(
  points: readonly CurvePoint[],
  series: readonly string[],
  style: CurveStyle,
): VegaLiteSpec {
  // Without an extent (or with an empty legend) Vega makes the chart infinitely large, and JupyterLab never stops drawing it.
  const empty = points.length === 0;
  const xDomain = style.xDomain ?? (empty ? [0, 1] : undefined);
  const yDomain = style.yDomain ?? (empty ? [0, style.reference?.y ?? 1] : undefined);
  const x = {
    field: "x",
    type: "quantitative",
    title: style.xTitle,
    scale: { nice: false, ...(xDomain && { domain: xDomain }) },
    // The last label ends at the axis; without this, the one before it may touch it.
    axis: { labelSeparation: 8 },
  };
  const y = {
    field: "y",
    type: "quantitative",
    title: wrapped(style.yTitle, (style.height ?? 260) / 10),
    scale: { zero: false, ...(yDomain && { domain: yDomain }) },
  };
  const styles = seriesStyles(series);
  const height = style.height ?? 260;
  const heights = [
    ...points.flatMap((p) => [p.y, p.low ?? p.y, p.high ?? p.y]),
    ...(style.dots ?? []).map((dot) => dot.y),
    ...(style.reference ? [style.reference.y] : []),
  ];
  const labels = endLabels(points, series, { height, heights: yDomain ?? heights });
  const legend = labels.length === 0;
  const color = nominal(series, styles.map((style) => style.color), legend); // prettier-ignore
  const strokeDash = nominal(series, styles.map((style) => style.dash), legend); // prettier-ignore
  // A name is in the color of text, since a series color cannot be read on every background; a stroke before it has the series'.
  const moved = { yOffset: { expr: "datum.shift" } };
  const names = [
    {
      data: { values: labels },
      mark: {
        ...{ type: "point", shape: "stroke", size: 140, strokeWidth: 3, opacity: 1, xOffset: 14 },
        ...moved,
      },
      encoding: { x, y, color },
    },
    {
      data: { values: labels },
      mark: { ...{ type: "text", align: "left", dx: 26, fontWeight: "bold" }, ...moved },
      encoding: { x, y, text: { field: "series" } },
    },
  ];
  const band = {
    transform: [{ filter: "isValid(datum.low)" }],
    mark: { type: "area", opacity: 0.2 },
    encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color },
  };
  const tooltip = [
    { field: "series", title: "series" },
    { field: "x", title: style.xTitle },
    { field: "y", title: style.yTitle, format: ".4f" },
  ];
  const line = {
    mark: { type: "line", strokeWidth: 2 },
    encoding: { x, y, color, strokeDash, tooltip },
  };
  const dots =
    (style.dots ?? []).length === 0
      ? []
      : [
          {
            // Each series has a column of its own, or its dots would cover those of another.
            data: {
              values: style.dots!.map((dot) => ({
                ...dot,
                shift: 7 * (1 + series.indexOf(dot.series) - series.length),
              })),
            },
            mark: { type: "point", filled: true, size: 46, opacity: 0.6, xOffset: { expr: "datum.shift" } },
            encoding: { x, y, color, tooltip },
          },
        ];
  const hasBand = points.some((p) => p.low !== undefined);
  return {
    $schema: vegaLiteSchema,
    description: style.description,
    title: style.subtitle === undefined ? style.title : { text: style.title, subtitle: style.subtitle },
    width: style.width ?? 520,
    height,
    data: { values: points },
    layer: [
      ...(hasBand ? [band] : []),
      line,
      ...dots,
      ...(legend ? [] : names),
      ...(style.reference ? referenceLayers(style.reference) : []),
    ],
    config: largeLetters,
  };
}

/** A title in two lines if it would be longer than its axis and so make the chart higher. */
function wrapped(title: string, most: number): string | string[] {
  if (title.length <= most) return title;
  const middle = title.length / 2;
  const spaces = [...title.matchAll(/ /g)].map(({ index }) => index);
  if (spaces.length === 0) return title;
  const at = spaces.reduce((a, b) => (Math.abs(b - middle) < Math.abs(a - middle) ? b : a));
  return [title.slice(0, at), title.slice(at + 1)];
}

function nominal(
  series: readonly string[],
  styles: readonly unknown[],
  hasLegend: boolean,
): Record<string, unknown> {
  const symbol = { symbolType: "stroke", symbolStrokeWidth: 2, symbolSize: 400, symbolOpacity: 1 };
  const legend = series.length > 0 && hasLegend ? symbol : null;
  return { field: "series", type: "nominal", title: null, legend, scale: { domain: series, range: styles } };
}

function referenceLayers(reference: { readonly y: number; readonly label: string }): unknown[] {
  const data = { values: [{ reference: reference.y, label: reference.label }] };
  const y = { field: "reference", type: "quantitative" };
  const label = { type: "text", color: neutralColor, align: "left", baseline: "bottom", x: 4, dy: -4 };
  return [
    { data, mark: { type: "rule", color: neutralColor, strokeDash: [3, 3] }, encoding: { y } },
    { data, mark: label, encoding: { y, text: { field: "label" } } },
  ];
}
