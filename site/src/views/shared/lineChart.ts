import { h, type ComponentChild } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** One line of a chart. `look` is a class of views.css: its color, and for some a dash. */
export interface Line {
  /** "" for a line without a name. */
  readonly name: string;
  /** Value at the line's end, behind its name. */
  readonly value?: string;
  readonly look: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The reader's place: a vertical line, and a dot on every line that has a point there. */
export interface Playhead {
  readonly at: number;
  readonly name: string;
}

export interface LineChartProps {
  readonly lines: readonly Line[];
  readonly xMax: number;
  /** Unit of the horizontal axis, behind its last number. */
  readonly xName: string;
  readonly yMin: number;
  readonly yMax: number;
  /** A dashed line across, such as the exact optimum. */
  readonly bound?: { readonly y: number; readonly name: string };
  readonly playhead?: Playhead;
  /** The content of the picture, in words. */
  readonly description: string;
  /** Whether names stand below where the screen is narrow; else the page has them elsewhere. Default: they do. */
  readonly hasLegend?: boolean;
  /** Height as a share of the width. */
  readonly share?: number;
}

const FIRST_WIDTH = 760;
const NARROW = 560;
const TOP = 30;
const BOTTOM = 30;
const LEFT = 42;
const BETWEEN = 18;

/** Width of an element, followed as the window changes. */
function useWidth(): [{ current: HTMLElement | null }, number] {
  const ref = useRef<HTMLElement | null>(null);
  const [width, setWidth] = useState(FIRST_WIDTH);
  useLayoutEffect(() => {
    const el = ref.current!;
    const measure = (): void => setWidth(Math.max(260, el.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** Names at the ends of lines, moved apart until none covers another. */
function spread(places: readonly number[], from: number, to: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  const moved = [...places];
  let last = from - BETWEEN;
  for (const i of order) last = moved[i] = Math.max(moved[i]!, last + BETWEEN);
  let next = to + BETWEEN;
  for (const i of order.reverse()) next = moved[i] = Math.min(moved[i]!, next - BETWEEN);
  return moved;
}

/** About five round numbers that an axis shows. */
export function ticksOf(min: number, max: number): number[] {
  const rough = (max - min) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = rough >= 1 ? [1, 2, 4, 5, 10] : [1, 2, 2.5, 5, 10];
  const step = round.map((k) => k * power).find((one) => one >= rough * 0.999)!;
  const first = Math.ceil(min / step - 1e-9);
  const count = Math.floor(max / step + 1e-9) - first;
  return Array.from({ length: count + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** A number of an axis as the sketches write it: .5, 1, −.25. */
export const axisNumber = (value: number): string =>
  String(value)
    .replace(/^(-?)0\./, "$1.")
    .replace("-", "−");

/** Height of a line at a place, between two of its points on the straight way from one to the other. */
export function valueAt(points: Line["points"], x: number): number | undefined {
  const next = points.findIndex(([at]) => at >= x);
  if (next < 0) return undefined;
  const [right, above] = points[next]!;
  if (right === x) return above;
  if (next === 0) return undefined;
  const [left, below] = points[next - 1]!;
  return below + ((x - left) / (right - left)) * (above - below);
}

/** A line as far as a place. */
export function until(points: Line["points"], x: number): Line["points"] {
  const before = points.filter(([at]) => at <= x);
  const y = valueAt(points, x);
  return y === undefined || before.at(-1)?.[0] === x ? before : [...before, [x, y]];
}

/**
 * A chart of lines that carry their names at their ends; where the screen is narrow, the names stand below. It is drawn at the size
 * that it has, so that its words are as large on a phone as elsewhere.
 */
export function LineChart(props: LineChartProps): ComponentChild {
  const {
    lines,
    xMax,
    xName,
    yMin,
    yMax,
    bound,
    playhead,
    description,
    hasLegend = true,
    share = 0.44,
  } = props;
  const [ref, width] = useWidth();
  const isNarrow = width < NARROW;
  const longest = Math.max(
    bound && !isNarrow ? bound.name.length : 0,
    ...lines.map(({ name, value = "" }) => name.length + value.length + 1),
  );
  const RIGHT = isNarrow ? 14 : Math.min(0.34 * width, 20 + 7.4 * longest);
  const height = Math.round(Math.min(480, Math.max(250, share * width)));
  const x = (value: number): number => LEFT + (value / Math.max(xMax, 1)) * (width - LEFT - RIGHT);
  const y = (value: number): number => TOP + ((yMax - value) / (yMax - yMin)) * (height - TOP - BOTTOM);
  const end = width - RIGHT;
  const path = (points: Line["points"]): string =>
    points.map(([a, b], i) => `${i === 0 ? "M" : "L"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join("");
  const drawn = lines.filter(({ points }) => points.length > 0);
  const named = drawn.filter(({ name }) => name !== "");
  const ends = spread(
    [...named.map(({ points }) => y(points.at(-1)![1])), ...(bound ? [y(bound.y)] : [])],
    TOP - 8,
    height - BOTTOM,
  );
  // The last number has a word behind it, which needs the room of others.
  const unitWidth = 8 * `${xMax} ${xName}`.length;
  const xTicks = [
    ...ticksOf(0, xMax).filter((value) => Number.isInteger(value) && end - x(value) > unitWidth + 12),
    xMax,
  ];
  const room = Math.floor((RIGHT - 14) / 7.2);
  const fitted = (text: string): string => (text.length <= room ? text : `${text.slice(0, room - 1)}…`);
  return h("figure", { class: "chart", ref }, [
    h("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": description }, [
      ...ticksOf(yMin, yMax).map((value) =>
        h("g", null, [
          h("line", { class: "grid", x1: LEFT, x2: end, y1: y(value), y2: y(value) }),
          h("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, axisNumber(value)),
        ]),
      ),
      ...xTicks.map((value, i) =>
        h(
          "text",
          {
            x: x(value),
            y: height - 9,
            "text-anchor": i === 0 ? "start" : i === xTicks.length - 1 ? "end" : "middle",
          },
          i === xTicks.length - 1 ? `${value} ${xName}` : String(value),
        ),
      ),
      bound &&
        h("g", { class: "bound" }, [
          h("line", { x1: LEFT, x2: end, y1: y(bound.y), y2: y(bound.y) }),
          isNarrow
            ? h("text", { x: end, y: y(bound.y) - 7, "text-anchor": "end" }, bound.name)
            : h("text", { x: end + 8, y: ends.at(-1)! + 4 }, fitted(bound.name)),
        ]),
      ...drawn.map(({ look, points }) => h("path", { class: `line ${look}`, d: path(points) })),
      ...(isNarrow
        ? []
        : named.map(({ name, value, look, points }, i) =>
            h("text", { class: `name ${look}`, x: x(points.at(-1)![0]) + 8, y: ends[i]! + 4 }, [
              fitted(value === undefined ? name : `${name} ${value}`),
            ]),
          )),
      playhead &&
        h("g", { class: "playhead" }, [
          h("line", { x1: x(playhead.at), x2: x(playhead.at), y1: TOP - 8, y2: height - BOTTOM }),
          h(
            "text",
            {
              x: x(playhead.at),
              y: TOP - 14,
              "text-anchor":
                playhead.at < 0.12 * xMax ? "start" : playhead.at > 0.88 * xMax ? "end" : "middle",
            },
            playhead.name,
          ),
        ]),
      ...(playhead
        ? drawn.flatMap(({ look, points }) => {
            const value = valueAt(points, playhead.at);
            return value === undefined
              ? []
              : h("circle", { class: `dot ${look}`, cx: x(playhead.at), cy: y(value), r: 4.5 });
          })
        : []),
    ]),
    isNarrow &&
      hasLegend &&
      h(
        "figcaption",
        { class: "legend" },
        // Those that matter most are drawn last.
        [...named]
          .reverse()
          .map(({ name, value, look }) =>
            h("span", { class: look }, value === undefined ? name : `${name} ${value}`),
          ),
      ),
  ]);
}
