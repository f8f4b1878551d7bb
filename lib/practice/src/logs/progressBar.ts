import type { Row } from "./row";

/** Key of the place that a trainer's progress bar had reached before a line, "10/500". */
export const BAR = "progress bar";

/** A bar of tqdm without a description, as the trainer's is: those of data, of an engine and of validation have other names or ends. */
const bar = /^\s*\d+%\|[^|]*\|\s*(?<place>\d+\/\d+) \[/;

/** The place of a progress bar that a line of a console shows; undefined for other lines. */
export const placeOf = (line: string): string | undefined => bar.exec(line)?.groups?.place;

const number = (row: Row): number | undefined =>
  typeof row[BAR] === "string" ? Number.parseInt(row[BAR], 10) : undefined;

/** The end of the bar that lines have. */
export const endOfBar = (row: Row): number | undefined =>
  typeof row[BAR] === "string" ? Number(row[BAR].split("/")[1]) : undefined;

/**
 * Whether the bar tells the steps of lines that name none: it moved before each, and hardly ever back. It does not where the output of
 * a program was held back and came in blocks.
 */
export function tellsSteps(rows: readonly Row[]): boolean {
  const places = rows.map(number);
  if (places.length < 2 || places.includes(undefined)) return false;
  const moves = places.slice(1).map((place, i) => place! - places[i]!);
  return moves.every((move) => move !== 0) && moves.filter((move) => move < 0).length <= moves.length / 10;
}

/** A line without the place of the bar. */
export function withoutBar({ [BAR]: _, ...row }: Row): Row {
  return row;
}
