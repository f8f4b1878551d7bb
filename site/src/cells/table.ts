import { inspect } from "../library/node/util.js";

const indexColumn = "(index)";
const valueColumn = "Values";

/** A table as Node's `console.table` draws it; undefined for a value that has no rows. */
export function table(value: unknown, wanted?: readonly string[]): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isMap = value instanceof Map;
  const entries: [string, unknown][] = isMap
    ? [...value].map(([key, one]): [string, unknown] => [cell(key), one])
    : value instanceof Set
      ? [...value].map((one, i): [string, unknown] => [String(i), one])
      : Object.entries(value);
  const columns = new Set(wanted);
  let hasValues = false;
  const rows = entries.map(([key, one]) => {
    if (typeof one !== "object" || one === null) {
      hasValues = true;
      return { key, value: cell(one), fields: {} as Record<string, string> };
    }
    const fields: Record<string, string> = {};
    for (const [name, part] of Object.entries(one)) {
      if (!wanted) columns.add(name);
      if (columns.has(name)) fields[name] = cell(part);
    }
    return { key, value: "", fields };
  });
  const head = [indexColumn, ...columns, ...(hasValues ? [valueColumn] : [])];
  const lines = rows.map((row) => [
    row.key,
    ...[...columns].map((name) => row.fields[name] ?? ""),
    ...(hasValues ? [row.value] : []),
  ]);
  return draw(head, lines);
}

const cell = (value: unknown): string =>
  inspect(value, { maxArrayLength: 3, breakLength: Infinity, depth: typeof value === "object" ? -1 : 0 });

function draw(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)) + 2);
  const line = (row: readonly string[]): string =>
    `│${row.map((text, i) => ` ${text}`.padEnd(widths[i]!)).join("│")}│`;
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => "─".repeat(width)).join(middle) + right;
  return [rule("┌", "┬", "┐"), line(head), rule("├", "┼", "┤"), ...rows.map(line), rule("└", "┴", "┘")].join(
    "\n",
  );
}
