import { frameworks, type NamingName } from "./frameworks";
import { knownNames, standing, valuesOf } from "./names";
import { plainName } from "./plainName";
import { BAR } from "./progressBar";
import type { Row } from "./row";

/** So many names of a framework are no chance. */
export const TELLING_NAMES = 3;

/** Guess about the framework of a log, with the reason. */
export interface Guess {
  readonly framework: NamingName;
  /** Number of the log's names that belong to this framework. */
  readonly hits: number;
  readonly why: string;
}

/** The framework whose metric names a log has most of; undefined where it has none of any. */
export function guess(rows: readonly Row[]): Guess | undefined {
  const counts = (Object.keys(frameworks) as NamingName[]).map((framework) => {
    const names = frameworks[framework];
    const known = knownNames(names);
    const found = new Set(rows.flatMap((row) => Object.keys(valuesOf(row, names))));
    found.delete(BAR);
    return {
      framework,
      of: found.size,
      hits: [...found].filter((name) => standing(name, names, known) === "known"),
    };
  });
  // Where one framework adds to the names of another, the plainer one stands first and wins a tie.
  const [best, next] = [...counts].sort((a, b) => b.hits.length - a.hits.length);
  if (best!.hits.length === 0) return undefined;
  const shown = best!.hits
    .slice(0, 3)
    .map((name) => plainName(name))
    .join(", ");
  const rest = best!.hits.length > 3 ? ", ..." : "";
  const runnerUp =
    next!.hits.length === 0
      ? "no other framework has any"
      : `${frameworks[next!.framework].title} has ${next!.hits.length}`;
  return {
    framework: best!.framework,
    hits: best!.hits.length,
    why: `${best!.hits.length} of its ${best!.of} names are those of ${frameworks[best!.framework].title} (${shown}${rest}); ${runnerUp}`,
  };
}
