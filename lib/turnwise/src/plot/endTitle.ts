/** The end of one line of a chart. */
interface LineEnd {
  readonly name: string;
  readonly y: number;
}

type Lines = Readonly<Record<string, readonly { readonly y: number }[]>>;
type Rows = readonly (LineEnd | { readonly label: string; readonly group?: string; readonly mean: number })[];

/** Titles longer than this do not fit above the chart. */
const LONGEST = 76;

/**
 * States where each line ends, or the mean of each row; of many, or of those with long names, the lowest and the highest. If all
 * are alike, they need no names.
 *
 * @param what the quantity, such as "Success at the end"
 * @throws {RangeError} if there is no point or row
 * @example
 * import { endTitle, lineChart } from "turnwise/plot";
 * const squares = [1, 2, 3].map((x) => ({ x, y: x ** 2 }));
 * lineChart({ squares }, { title: endTitle("At 3", { squares }), xTitle: "x", yTitle: "y" });
 */
export function endTitle(what: string, shown: Lines | Rows): string {
  const ends = isRows(shown) ? shown.map(rowEnd) : Object.entries(shown).flatMap(lineEnd);
  if (ends.length === 0) {
    throw new RangeError("Cannot state where lines end: there must be a point, got none.");
  }
  const sorted = [...ends].sort((a, b) => a.y - b.y);
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  const separator = ends.some(({ name }) => name.includes(",")) ? "; " : ", ";
  const all = `${what}: ${ends.map(({ name, y }) => `${name} ${short(y)}`).join(separator)}`;
  const span = short(low.y) === short(high.y) ? short(low.y) : `from ${short(low.y)} to ${short(high.y)}`;
  const named = `from ${short(low.y)} (${low.name}) to ${short(high.y)} (${high.name})`;
  if (ends.length > 1 && !span.startsWith("from")) return `${what}: ${span} on all lines`;
  const options = [...(ends.length > 3 ? [] : [all]), `${what}: ${named}`];
  return options.find(({ length }) => length <= LONGEST) ?? `${what}: ${span}`;
}

/** States where each of the series has got: "After 60 updates: grpo 0.97". */
export function curveTitle(
  points: readonly { readonly series: string; readonly x: number; readonly y: number }[],
  series: readonly string[],
): string {
  const ends = series.flatMap((name) => points.findLast((p) => p.series === name) ?? []);
  const updates = new Set(ends.map(({ x }) => x));
  const last = ends[0]!.x;
  const when = updates.size > 1 ? "At the end" : `After ${last} update${last === 1 ? "" : "s"}`;
  return endTitle(
    when,
    ends.map((end) => ({ name: end.series, y: end.y })),
  );
}

const isRows = (shown: Lines | Rows): shown is Rows => Array.isArray(shown);

const rowEnd = (row: Rows[number]): LineEnd =>
  "mean" in row
    ? { name: row.group === undefined ? row.label : `${row.group}, ${row.label}`, y: row.mean }
    : row;

function lineEnd([name, points]: [string, Lines[string]]): LineEnd[] {
  const last = points.at(-1);
  return last === undefined ? [] : [{ name, y: last.y }];
}

/** Rounding alone is no number to read: below a millionth it is 0. */
function short(y: number): string {
  if (Math.abs(y) < 1e-6) return "0.00";
  return Math.abs(y) < 0.01 ? y.toPrecision(2) : y.toFixed(2);
}
