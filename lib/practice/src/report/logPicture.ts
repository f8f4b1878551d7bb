import { blocks, short } from "turnwise/internal/base/curve";
import { log as ln } from "turnwise/internal/base/elementary/log";
import type { Watched } from "turnwise/internal/monitor/echoTrapMonitor";
import type { SignalName } from "turnwise/internal/monitor/signals";
import { decimate, Drawing, neutralColor, seriesColors } from "turnwise/internal/plot/index";
import { line, text } from "turnwise/internal/plot/trajectory/shapes";
import { panels, type PanelLook } from "./panels";

/** A vertical line: the step, what stands above it, and its color. */
export interface LogMark {
  readonly step: number;
  readonly name: string;
  readonly color?: string;
}

interface Point {
  readonly step: number;
  readonly value: number;
}

const width = 720;
const sides = { left: 64, right: width - 14 };
const lineHeight = 19;
/** A panel is as high as leaves all of them, and what is written around them, on one screen of a lecture hall. */
const heightOf = (count: number, room: number): number =>
  Math.max(40, Math.min(76, Math.floor(room / count)));
const titleHeight = 20;

/** Text around the panels, where nothing else fits: a title above, and lines below. */
export interface LogWords {
  readonly title: string;
  readonly below: readonly string[];
}

/**
 * The signals of a log, one below the other over its steps, with a line at each mark. Its ink is that of the text around it. With
 * `words` it stands for itself.
 */
export function logPicture(
  watched: readonly Watched[],
  marks: readonly LogMark[],
  label: string,
  words?: LogWords,
): Drawing {
  const steps = watched.map(({ record }) => record.update);
  const ends = [Math.min(...steps), Math.max(...steps)] as const;
  const drawn = panels
    .map(([signal, name, look]) => {
      const pieces = piecesOf(watched, signal, look);
      return { name, look, pieces, points: pieces.flat() };
    })
    .filter(({ points }) => points.length > 0);
  const { title = "", below = [] } = words ?? {};
  const atX = (step: number): number => along(step, ends, sides.left, sides.right);
  const names = placed(marks, atX);
  const rowsAbove = Math.max(0, ...names.map(({ row }) => row));
  const top = (title === "" ? 30 : 56) + rowsAbove * rowHeight;
  const each = heightOf(drawn.length, 530 - top - lineHeight * below.length);
  const bottom = top + drawn.length * each;
  const rows = drawn.map((one, i) =>
    panel({ ...one, top: top + i * each, bottom: top + (i + 1) * each - 6, atX }),
  );
  const axis =
    text(sides.left, bottom + 14, `step ${ends[0]}`, { size: 13 }) +
    text(sides.right, bottom + 14, String(ends[1]), { size: 13, anchor: "end" });
  const written =
    (title === "" ? "" : text(4, 20, title, { size: 16, bold: true })) +
    below.map((told, i) => text(4, bottom + 40 + i * lineHeight, told, { size: 13 })).join("");
  const curves = drawn.map(({ name, points }) => `${name} ${between(points)}`).join("; ");
  return new Drawing({
    width,
    height: bottom + 24 + below.length * lineHeight + (below.length > 0 ? 6 : 0),
    content: lines(marks, names, atX, { top, bottom }) + rows.join("") + axis + written,
    label: `${label}. ${curves}. ${told(marks)}`,
    text: drawn.map(({ name, points }) => `${blocks(points.map(({ value }) => value))}  ${name}`).join("\n"),
  });
}

/**
 * The values of a signal in stretches of a line. A step without the metric is passed over, since some are logged now and then; a value
 * that cannot be drawn, such as 0 on a logarithmic axis, leaves a gap.
 */
function piecesOf(watched: readonly Watched[], signal: SignalName, { log }: PanelLook): Point[][] {
  const pieces: Point[][] = [[]];
  for (const { record, signals } of watched) {
    const value = signals[signal];
    if (value === undefined) continue;
    if (Number.isFinite(value) && !(log && value <= 0)) pieces.at(-1)!.push({ step: record.update, value });
    else pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** Rows above the panels for the names of marks, from the lowest up. */
const MOST_ROWS = 3;
const rowHeight = 15;

/** A name above the line of its mark, in one of several rows. */
interface PlacedName extends LogMark {
  readonly row: number;
  readonly x: number;
}

/** Names of marks in rows, so that none stands on another: those of colored marks lowest, and one with room in no row left out. */
function placed(marks: readonly LogMark[], atX: (step: number) => number): PlacedName[] {
  const taken: (readonly [row: number, from: number, to: number])[] = [];
  return [...marks.filter(({ color }) => color), ...marks.filter(({ color }) => !color)].flatMap((mark) => {
    const x = atX(mark.step);
    const half = 4.2 * mark.name.length + 2;
    for (let row = 0; row < MOST_ROWS; row++) {
      if (taken.some(([other, left, right]) => other === row && x - half < right && x + half > left))
        continue;
      taken.push([row, x - half, x + half]);
      return [{ ...mark, row, x }];
    }
    return [];
  });
}

/** A line at each mark, and the names above. */
function lines(
  marks: readonly LogMark[],
  names: readonly PlacedName[],
  atX: (step: number) => number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): string {
  const drawn = marks.map(({ step, color }) =>
    line([atX(step), top - 6], [atX(step), bottom - 6], {
      stroke: color ?? neutralColor,
      width: color === undefined ? 1.5 : 2,
      dash: color === undefined ? "4 3" : "",
    }),
  );
  const written = names.map(({ x, row, name, color }) =>
    text(x, top - 12 - row * rowHeight, name, {
      size: 14,
      bold: true,
      anchor: "middle",
      ...(color === undefined ? {} : { fill: color }),
    }),
  );
  return [...drawn, ...written].join("");
}

interface PanelParts {
  readonly name: string;
  readonly look: PanelLook;
  readonly pieces: readonly (readonly Point[])[];
  readonly points: readonly Point[];
  readonly top: number;
  readonly bottom: number;
  readonly atX: (step: number) => number;
}

function panel({ name, look, pieces, points, top, bottom, atX }: PanelParts): string {
  const scaled = (value: number): number => (look.log ? ln(value) : value);
  const [low, high] = look.domain ?? reach(points);
  const from = top + titleHeight;
  const atY = (value: number): number => along(scaled(value), [scaled(low), scaled(high)], bottom - 2, from);
  const path = pieces.map((piece) => pathOf(piece, atX, atY)).join("");
  const frame = `M${sides.left} ${from - 3}V${bottom}H${sides.right}`;
  return (
    `<path d="${frame}" fill="none" stroke="currentColor" stroke-opacity=".4"/>` +
    text(sides.left + 6, top + 12, name, { size: 13, bold: true }) +
    text(sides.left - 6, from + 8, short(high), { size: 12, anchor: "end", opacity: 0.8 }) +
    (low === high
      ? ""
      : text(sides.left - 6, bottom, short(low), { size: 12, anchor: "end", opacity: 0.8 })) +
    `<path d="${path}" fill="none" stroke="${seriesColors[0]}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>`
  );
}

/** A stretch of a curve; a single value is a dot, by the round end of a line without length. */
function pathOf(piece: readonly Point[], atX: (step: number) => number, atY: (y: number) => number): string {
  const some = decimate(
    piece.map(({ step, value }) => ({ x: step, y: value })),
    300,
  );
  const points = some.map(({ x, y }) => `${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`);
  return `M${(points.length === 1 ? [...points, ...points] : points).join("L")}`;
}

function reach(points: readonly Point[]): readonly [number, number] {
  const values = points.map(({ value }) => value);
  return [Math.min(...values), Math.max(...values)];
}

const between = (points: readonly Point[]): string => reach(points).map(short).join(" to ");
const told = (marks: readonly LogMark[]): string =>
  marks.length === 0
    ? "No alarm."
    : `Lines: ${marks.map(({ name, step }) => `${name} at step ${step}`).join(", ")}.`;

function along(x: number, [low, high]: readonly [number, number], from: number, to: number): number {
  return high === low ? (from + to) / 2 : from + ((x - low) / (high - low)) * (to - from);
}
