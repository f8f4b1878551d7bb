import { nearest } from "turnwise/internal/base/suggest";
import { frameworks, type NamingName } from "./frameworks";
import { knownNames } from "./names";
import { BAR } from "./progressBar";
import { plainName } from "./plainName";
import type { Row } from "./row";

/** Names further on are not compared with known ones: a log may have very many. */
export const MOST_NAMES_COMPARED = 1000;

/** Error for a log without a name that any framework has. */
export function unrecognized(rows: readonly Row[]): RangeError {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== BAR);
  const known = (Object.keys(frameworks) as NamingName[]).flatMap((name) => [
    ...knownNames(frameworks[name]).keys(),
  ]);
  let close: readonly [string, string] | undefined;
  for (const name of names.slice(0, MOST_NAMES_COMPARED)) {
    const one = nearest(name, known);
    if (one === undefined) continue;
    close = [name, one];
    break;
  }
  return new RangeError(
    `Cannot read a log: its names must be those of ${Object.keys(frameworks).join(", ")}, or be mapped by ` +
      `the option map, got ${names
        .slice(0, 5)
        .map((name) => plainName(name, 99))
        .join(", ")}${names.length > 5 ? ", ..." : ""}.` +
      (close ? `\nIs "${plainName(close[0])}" meant to be "${close[1]}"?` : ""),
  );
}
