import { metricLabel } from "../base/metricLabel";
import { neutralColor } from "../plot/palette";
import { escapeHtml } from "../plot/escapeHtml";
import type { Point } from "../plot/decimate";
import type { SeriesStyle } from "../plot/ruleStyle";

/** A curve as it is drawn. */
export interface Curve {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly points: readonly Point[];
}

/** All that the chart shows. */
export interface CurvesPicture {
  readonly title: string;
  readonly metric: string;
  readonly curves: readonly Curve[];
  readonly optimum: number | undefined;
  /** Updates planned; the axis ends there unless that is far away. */
  readonly total: number;
  /** Changes made while the present run went on. */
  readonly changes: readonly { readonly after: number; readonly words: string }[];
}

const width = 640;
const height = 236;
const plot = { left: 46, right: 628, top: 12, bottom: 200 };
const font = 13;
/** More of them would hide the curve. */
const labeledChanges = 3;

/** The chart as HTML, with a legend above it. Its ink is that of the text around it, so it follows a page's theme. */
export function curvesHtml(picture: CurvesPicture): string {
  const legend = picture.curves.map(
    ({ name, style }) =>
      `<span style="margin-right:1em"><svg width="30" height="10" aria-hidden="true"><path d="M1 5H29" ` +
      `${strokeOf(style)}/></svg> ${escapeHtml(name)}</span>`,
  );
  return (
    `<div style="line-height:1.3"><strong>${escapeHtml(picture.title)}</strong> ` +
    `<span style="margin-left:1em">${legend.join("")}</span></div>${svgOf(picture)}`
  );
}

/** The chart in words, for screen readers and terminals. */
export function curvesText({ metric, curves, optimum }: CurvesPicture): string {
  const ends = curves.flatMap(({ name, points }) => {
    const last = points.at(-1);
    return last ? [`${name}: ${last.y.toFixed(3)} after update ${String(last.x)}`] : [];
  });
  const aim = optimum === undefined ? "" : `; the exact optimum is ${optimum.toFixed(3)}`;
  return `Live learning curve of ${metric}. ${ends.join(", ") || "No records yet"}${aim}.`;
}

/** End of the axis of updates: the plan, or a round number beyond the curve if the plan is far away. */
export function axisEnd(total: number, furthest: number): number {
  const wanted = Math.max(50, 1.25 * furthest);
  if (total <= 4 * wanted && total <= 2000) return total;
  const power = powerBelow(wanted);
  return Math.min(
    total,
    [1, 2, 5, 10].map((by) => by * power).find((end) => end >= wanted)!,
  );
}

/** The largest power of ten that is not above a number, read off its digits. */
const powerBelow = (x: number): number => Number(`1e${x.toExponential().split("e")[1]!}`);

/** Round numbers from low to high, at most so many steps. */
export function ticks(low: number, high: number, most: number): number[] {
  const raw = (high - low) / most;
  const power = powerBelow(raw);
  const step = [1, 2, 5, 10].map((by) => by * power).find((size) => size >= raw * (1 - 1e-9))!;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

function svgOf(picture: CurvesPicture): string {
  const { curves, optimum, metric, total, changes } = picture;
  const ys = curves.flatMap(({ points }) => points.map(({ y }) => y)).filter(Number.isFinite);
  const low = Math.min(0, ...ys);
  const high = Math.max(optimum ?? (ys.length === 0 ? 1 : 0), ...ys, low + 1e-6);
  const yTicks = ticks(low, high, 5);
  const end = axisEnd(total, Math.max(0, ...curves.flatMap(({ points }) => points.at(-1)?.x ?? 0)));
  const xAt = (x: number): number => plot.left + ((plot.right - plot.left) * x) / end;
  const yAt = (y: number): number => plot.bottom - ((plot.bottom - plot.top) * (y - low)) / (high - low);
  const label = (x: number, y: number, words: string, more = ""): string =>
    `<text x="${f(x)}" y="${f(y)}" font-size="${String(font)}" ${more}>${escapeHtml(words)}</text>`;
  const grid = [
    ...yTicks.map(
      (y) =>
        `<path d="M${String(plot.left)} ${f(yAt(y))}H${String(plot.right)}" stroke="currentColor" stroke-opacity=".15"/>` +
        label(plot.left - 6, yAt(y) + 4, String(y), 'text-anchor="end"'),
    ),
    ...ticks(0, end, 8).map((x) => label(xAt(x), plot.bottom + 17, String(x), 'text-anchor="middle"')),
    `<path d="M${String(plot.left)} ${String(plot.bottom)}H${String(plot.right)}" stroke="currentColor" stroke-opacity=".5"/>`,
    label((plot.left + plot.right) / 2, height - 4, "update", 'text-anchor="middle"'),
    label(
      0,
      0,
      metricLabel(metric),
      `text-anchor="middle" transform="translate(12 ${f((plot.top + plot.bottom) / 2)}) rotate(-90)"`,
    ),
  ];
  const aim =
    optimum === undefined
      ? ""
      : `<path d="M${String(plot.left)} ${f(yAt(optimum))}H${String(plot.right)}" stroke="${neutralColor}" stroke-width="1.5" stroke-dasharray="4 3"/>` +
        label(
          plot.right - 4,
          yAt(optimum) + 15,
          `exact optimum ${optimum.toFixed(3)}`,
          'text-anchor="end" opacity=".8"',
        );
  const marks = changes.map(({ after, words }, i) => {
    const x = xAt(after);
    const row = changes.length - i - 1;
    const named = row < labeledChanges;
    const right = x > (plot.left + plot.right) / 2;
    return (
      `<g><title>after update ${String(after)}: ${escapeHtml(words)}</title><path d="M${f(x)} ${String(plot.top)}V${String(plot.bottom)}" ` +
      `stroke="currentColor" stroke-opacity=".45" stroke-dasharray="2 3"/>` +
      `${named ? label(x + (right ? -5 : 5), plot.bottom - 8 - 16 * row, words, right ? 'text-anchor="end"' : "") : ""}</g>`
    );
  });
  const lines = curves.map(({ points, style }) => {
    const way = points.filter(({ y }) => Number.isFinite(y)).map(({ x, y }) => `${f(xAt(x))} ${f(yAt(y))}`);
    const dot =
      way.length === 1
        ? `<circle cx="${way[0]!.split(" ")[0]!}" cy="${way[0]!.split(" ")[1]!}" r="3" fill="${style.color}"/>`
        : "";
    return way.length === 0 ? "" : `<path d="M${way.join("L")}" fill="none" ${strokeOf(style)}/>${dot}`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(curvesText(picture))}" ` +
    `viewBox="0 0 ${String(width)} ${String(height)}" preserveAspectRatio="xMinYMin" font-family="sans-serif" fill="currentColor" ` +
    `style="display:block;width:100%;max-width:${String(width * 1.3)}px;max-height:${String(height * 1.05)}px">` +
    `${grid.join("")}${aim}${marks.join("")}${lines.join("")}</svg>`
  );
}

const f = (x: number): string => String(Number(x.toFixed(1)));

const strokeOf = ({ color, dash }: SeriesStyle): string =>
  `stroke="${color}" stroke-width="2"${dash[1] === 0 || dash.length === 0 ? "" : ` stroke-dasharray="${dash.join(" ")}"`}`;
