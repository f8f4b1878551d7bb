import { h, type ComponentChild } from "preact";
import { axisNumber } from "../shared/lineChart";
import type { Point } from "./protocol";

interface Gauge {
  readonly name: string;
  readonly unit: string;
  readonly read: (point: Point) => number | undefined;
  /** Value at the gauge's full height; as high as the run goes where there is none. */
  readonly full?: number;
  readonly write: (value: number) => string;
}

const twoDigits = (value: number): string => axisNumber(Number(value.toFixed(2)));

const gauges: readonly Gauge[] = [
  { name: "mean reward", unit: "of this batch", read: ({ reward }) => reward, write: twoDigits },
  { name: "entropy", unit: "nats a word", read: ({ entropy }) => entropy, write: twoDigits },
  {
    name: "silent groups",
    unit: "pay alike",
    read: ({ silent }) => silent,
    full: 1,
    write: (value) => `${Math.round(100 * value)}%`,
  },
  {
    name: "largest ratio",
    unit: "new over old",
    read: ({ ratio }) => ratio,
    write: (value) => (value >= 100 ? value.toExponential(1).replace("e+", "e") : value.toFixed(1)),
  },
];

const WIDTH = 160;
const HEIGHT = 44;
const POINTS = 80;

/** The course of a number as a small picture, with a dot at the reader's place. */
function spark(course: readonly number[], at: number, full: number | undefined): ComponentChild {
  const finite = course.filter(Number.isFinite);
  const low = Math.min(0, ...finite);
  const high = full ?? Math.max(...finite, low + 1e-9);
  const every = Math.max(1, Math.ceil(course.length / POINTS));
  const x = (i: number): number => (course.length < 2 ? 0 : (i / (course.length - 1)) * (WIDTH - 8)) + 4;
  const y = (value: number): number => HEIGHT - 4 - ((value - low) / (high - low)) * (HEIGHT - 8);
  const path = course
    .map((value, i) => ({ value, i }))
    .filter(({ value, i }) => Number.isFinite(value) && (i % every === 0 || i === course.length - 1))
    .map(({ value, i }, k) => `${k === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("");
  const value = course[at];
  return h("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, [
    h("path", { class: "line", d: path }),
    value !== undefined &&
      Number.isFinite(value) &&
      h("circle", { class: "dot", cx: x(at), cy: y(value), r: 4 }),
  ]);
}

/** Four numbers of a run at an update, each with its course. */
export function gaugesOf(points: readonly Point[], at: number, look: string): ComponentChild {
  const index = Math.max(0, Math.min(at, points.length) - 1);
  return h(
    "dl",
    { class: `gauges ${look}` },
    gauges.map(({ name, unit, read, full, write }) => {
      const course = points.map((point) => read(point) ?? NaN);
      const value = course[index];
      return h("div", { key: name }, [
        h("dt", null, name),
        h("dd", null, [
          h("strong", null, value === undefined || Number.isNaN(value) ? "–" : write(value)),
          h("span", { class: "soft" }, ` ${unit}`),
          course.length > 1 && spark(course, index, full),
        ]),
      ]);
    }),
  );
}
