import { escapeHtml } from "./escapeHtml";

/** A line of a small chart. */
export interface CurveLine {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly color: string;
  /** One of several that stand behind a mean. */
  readonly faint?: boolean;
}

const [width, height] = [420, 150];
const plot = { left: 52, right: width - 12, top: 24, bottom: height - 24 };

/**
 * A small chart for cards, as SVG: its ink is the color of the text around it, so that it suits light and dark pages and follows
 * when the theme changes.
 */
export function curve(lines: readonly CurveLine[], o: { readonly x: string; readonly y: string }): string {
  const points = lines.flatMap((line) => line.points);
  const xs = ends(points.map(([x]) => x));
  const ys = ends(points.map(([, y]) => y));
  const atX = (x: number): number => along(x, xs, plot.left, plot.right);
  const atY = (y: number): number => along(y, ys, plot.bottom, plot.top);
  const drawn = lines.map(({ points: own, color, faint = false }) => {
    const path = own
      .map(([x, y], i) => `${i === 0 ? "M" : "L"}${atX(x).toFixed(1)} ${atY(y).toFixed(1)}`)
      .join("");
    const look = faint ? 'stroke-width="1" stroke-opacity=".45"' : 'stroke-width="2.5"';
    const [x, y] = own.at(-1)!;
    const dot = `<circle cx="${atX(x).toFixed(1)}" cy="${atY(y).toFixed(1)}" r="${faint ? 2 : 3.5}" fill="${color}"/>`;
    return `<path d="${path}" fill="none" stroke="${color}" ${look} stroke-linejoin="round"/>${dot}`;
  });
  const frame = `M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}`;
  const text = (x: number, y: number, anchor: string, words: string): string =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(words)}</text>`;
  const label = `${o.y} over ${xs[1]} ${o.x}s, from ${short(ys[0])} to ${short(ys[1])}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(label)}" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="currentColor" style="max-width:100%;height:auto">` +
    `<path d="${frame}" fill="none" stroke="currentColor" stroke-opacity=".5"/>` +
    text(plot.left, 14, "start", o.y) +
    text(plot.left - 6, plot.top + 5, "end", short(ys[1])) +
    (ys[0] === ys[1] ? "" : text(plot.left - 6, plot.bottom, "end", short(ys[0]))) +
    text(plot.left, height - 8, "start", String(xs[0])) +
    text(plot.right, height - 8, "end", `${o.x} ${xs[1]}`) +
    `${drawn.join("")}</svg>`
  );
}

/** The same for terminals: a line of blocks, low to high. */
export function blocks(values: readonly number[], most = 60): string {
  const step = Math.max(1, values.length / most);
  const some = Array.from({ length: Math.min(values.length, most) }, (_, i) => values[Math.floor(i * step)]!);
  const [low, high] = ends(some);
  const levels = "▁▂▃▄▅▆▇█";
  return some.map((y) => levels[Math.round(along(y, [low, high], 0, 7))]).join("");
}

/** A figure in a few characters. */
export const short = (x: number): string =>
  Number.isInteger(x) ? String(x) : String(Number(Math.abs(x) < 0.001 ? x.toPrecision(2) : x.toFixed(3)));

function ends(values: readonly number[]): readonly [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], x) => [Math.min(low, x), Math.max(high, x)],
    [Infinity, -Infinity],
  );
}

function along(x: number, [low, high]: readonly [number, number], from: number, to: number): number {
  return high === low ? (from + to) / 2 : from + ((x - low) / (high - low)) * (to - from);
}
