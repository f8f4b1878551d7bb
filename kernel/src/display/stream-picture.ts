import { escapeHtml } from "./html.js";

/** One series of a chart; null makes a gap. */
export interface Line {
  name: string;
  x: readonly number[];
  y: readonly (number | null)[];
}

interface Look {
  title: string;
  xTitle: string;
  yTitle: string;
  width: number;
  height: number;
  colors: readonly string[];
}

const margin = { left: 62, right: 14, top: 30, bottom: 44 };
const dashes = ["", "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 2"];

/** A line chart as SVG, with at most four points per column of pixels, which looks the same as all of them. */
export function streamPicture(lines: readonly Line[], look: Look): string {
  const { width, height, colors } = look;
  const right = width - margin.right;
  const bottom = height - margin.bottom;
  const [xLow, xHigh] = range(lines.map(({ x }) => x));
  const [yLow, yHigh] = range(lines.map(({ y }) => y));
  const toX = (x: number): number => margin.left + ((x - xLow) / (xHigh - xLow)) * (right - margin.left);
  const toY = (y: number): number => bottom - ((y - yLow) / (yHigh - yLow)) * (bottom - margin.top);

  const parts: string[] = [];
  for (const x of ticks(xLow, xHigh, 8)) {
    const at = toX(x).toFixed(1);
    parts.push(`<path d="M${at} ${bottom}V${margin.top}" stroke="#888" stroke-opacity=".25"/>`);
    parts.push(`<text x="${at}" y="${bottom + 15}" text-anchor="middle">${label(x)}</text>`);
  }
  for (const y of ticks(yLow, yHigh, 5)) {
    const at = toY(y).toFixed(1);
    parts.push(`<path d="M${margin.left} ${at}H${right}" stroke="#888" stroke-opacity=".25"/>`);
    parts.push(
      `<text x="${margin.left - 6}" y="${(toY(y) + 4).toFixed(1)}" text-anchor="end">${label(y)}</text>`,
    );
  }
  let at = margin.left;
  if (look.title !== "") {
    parts.push(`<text x="${at}" y="17" font-weight="bold">${escapeHtml(look.title)}</text>`);
    at += look.title.length * 7 + 20;
  }
  lines.forEach((line, i) => {
    const stroke = `stroke="${colors[i % colors.length]!}" stroke-width="1.8" stroke-dasharray="${dashes[i % dashes.length]!}" fill="none"`;
    parts.push(`<path d="${path(line, toX, toY)}" stroke-linejoin="round" ${stroke}/>`);
    parts.push(
      `<path d="M${at} 13h24" ${stroke}/><text x="${at + 29}" y="17">${escapeHtml(line.name)}</text>`,
    );
    at += line.name.length * 7 + 48;
  });
  const middle = (margin.top + bottom) / 2;
  const title = `${look.title === "" ? "Chart" : look.title}: ${look.yTitle} over ${look.xTitle}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="11">` +
    `<title>${escapeHtml(title)}</title><rect width="${width}" height="${height}" fill="#fff"/>` +
    `<rect x="${margin.left}" y="${margin.top}" width="${right - margin.left}" height="${bottom - margin.top}" fill="none" stroke="#888"/>` +
    parts.join("") +
    `<text x="${(margin.left + right) / 2}" y="${height - 8}" text-anchor="middle">${escapeHtml(look.xTitle)}</text>` +
    `<text transform="translate(13 ${middle}) rotate(-90)" text-anchor="middle">${escapeHtml(look.yTitle)}</text></svg>`
  );
}

/** The path of a line; of the points in one column of pixels, only the first, lowest, highest and last are drawn. */
function path({ x, y }: Line, toX: (x: number) => number, toY: (y: number) => number): string {
  let d = "";
  let pen = "M";
  let column: { at: number; points: [number, number][] } | undefined;
  const flush = (): void => {
    if (!column) return;
    const { points } = column;
    let lowest = 0;
    let highest = 0;
    points.forEach(([, y], i) => {
      if (y < points[lowest]![1]) lowest = i;
      if (y > points[highest]![1]) highest = i;
    });
    const chosen = new Set([0, lowest, highest, points.length - 1]);
    for (const i of [...chosen].sort((a, b) => a - b)) {
      d += `${pen}${points[i]![0].toFixed(1)} ${points[i]![1].toFixed(1)}`;
      pen = "L";
    }
    column = undefined;
  };
  for (let i = 0; i < x.length; i++) {
    const value = y[i];
    if (value === null || value === undefined) {
      flush();
      pen = "M";
      continue;
    }
    const px = toX(x[i]!);
    if (column?.at !== Math.floor(px)) {
      flush();
      column = { at: Math.floor(px), points: [] };
    }
    column.points.push([px, toY(value)]);
  }
  flush();
  return d;
}

function range(values: readonly (readonly (number | null)[])[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const list of values) {
    for (const value of list) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  // A chart with one point or none still needs a finite size.
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

function ticks(low: number, high: number, count: number): number[] {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= raw) ?? raw;
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; k++) found.push(k * step);
  return found;
}

function label(value: number): string {
  return String(Number(value.toPrecision(6)));
}
