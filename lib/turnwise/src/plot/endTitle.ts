/** The end of one line of a chart. */
interface LineEnd {
  readonly name: string;
  readonly y: number;
}

/** Titles longer than this do not fit above the chart. */
const LONGEST = 76;

/**
 * States where each line ends; of many lines, or of lines with long names, where the lowest and the highest end. Lines that end alike
 * need no names.
 */
export function endTitle(what: string, ends: readonly LineEnd[]): string {
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

const short = (y: number): string => (y !== 0 && Math.abs(y) < 0.01 ? y.toPrecision(2) : y.toFixed(2));
