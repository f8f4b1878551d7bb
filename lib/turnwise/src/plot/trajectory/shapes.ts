import { escapeHtml } from "../escapeHtml";

/** Shapes of SVG whose ink is that of the text around the picture. */

const round = (x: number): string => String(Number(x.toFixed(1)));

/** Style of a text. */
export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly mono?: boolean;
  readonly anchor?: "start" | "middle" | "end";
  readonly opacity?: number;
  readonly fill?: string;
}

/** A text whose baseline is at y. */
export function text(x: number, y: number, words: string, style: TextStyle): string {
  const { size, bold = false, mono = false, anchor = "start", opacity = 1, fill } = style;
  return (
    `<text x="${round(x)}" y="${round(y)}" font-size="${size}"` +
    `${fill === undefined ? "" : ` fill="${fill}"`}${bold ? ' font-weight="bold"' : ""}${mono ? ' font-family="monospace"' : ""}` +
    `${anchor === "start" ? "" : ` text-anchor="${anchor}"`}${opacity === 1 ? "" : ` opacity="${opacity}"`}>${escapeHtml(words)}</text>`
  );
}

/** Style of a box. */
export interface BoxStyle {
  readonly fill?: string;
  readonly fillOpacity?: number;
  readonly stroke?: string;
  readonly strokeOpacity?: number;
  readonly strokeWidth?: number;
  readonly dash?: string;
  readonly radius?: number;
}

/** A rectangle with round corners. */
export function box(x: number, y: number, width: number, height: number, style: BoxStyle): string {
  const {
    fill = "none",
    fillOpacity = 1,
    stroke = "none",
    strokeOpacity = 1,
    strokeWidth = 1,
    dash,
    radius = 4,
  } = style;
  return (
    `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${radius}" fill="${fill}"` +
    `${fillOpacity === 1 || fill === "none" ? "" : ` fill-opacity="${round2(fillOpacity)}"`}` +
    `${stroke === "none" ? "" : ` stroke="${stroke}" stroke-width="${strokeWidth}"${strokeOpacity === 1 ? "" : ` stroke-opacity="${strokeOpacity}"`}`}` +
    `${dash === undefined ? "" : ` stroke-dasharray="${dash}"`}/>`
  );
}

const round2 = (x: number): string => String(Number(x.toFixed(2)));

/** A straight line. */
export function line(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  { stroke = "currentColor", width = 1, opacity = 1, dash = "" } = {},
): string {
  return (
    `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" fill="none" stroke="${stroke}" stroke-width="${width}"` +
    `${opacity === 1 ? "" : ` stroke-opacity="${opacity}"`}${dash === "" ? "" : ` stroke-dasharray="${dash}"`}/>`
  );
}

/** Slanted lines that fill a rectangle. They are drawn one by one, as a pattern would need an id that no other picture has. */
export function hatch(x: number, y: number, width: number, height: number): string {
  const gap = 7;
  const lines: string[] = [];
  for (let at = gap; at < width + height; at += gap) {
    const [x1, y1] = at < height ? [x, y + at] : [x + at - height, y + height];
    const [x2, y2] = at < width ? [x + at, y] : [x + width, y + at - width];
    lines.push(`M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`);
  }
  return `<path d="${lines.join("")}" fill="none" stroke="currentColor" stroke-opacity="0.22"/>`;
}

/** A group with a tooltip. */
export const titled = (title: string, content: string): string =>
  `<g><title>${escapeHtml(title)}</title>${content}</g>`;

/** Approximate width of a text: exact for letters of one width. */
export function widthOf(words: string, size: number, mono = false): number {
  return [...words].length * size * (mono ? 0.602 : 0.56);
}

/** At most so many letters, the last of them a mark that some are missing. */
export function shortened(words: string, most: number): string {
  const letters = [...words];
  return letters.length <= most ? words : `${letters.slice(0, Math.max(1, most - 1)).join("")}…`;
}

/** At most a number of letters from the end of a text, the first of them a mark that some are missing. */
export function shortenedStart(words: string, most: number): string {
  const letters = [...words];
  return letters.length <= most
    ? words
    : `…${letters.slice(letters.length - Math.max(1, most - 1)).join("")}`;
}
