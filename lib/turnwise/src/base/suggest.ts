import { distance } from "fastest-levenshtein";

/**
 * The known name that a misspelt one most likely means; undefined where none is close.
 *
 * `nearest("group_size", ["groups", "groupSize"])` is "groupSize". Case is ignored. A name is close if it is at most four edits away,
 * and at most half as many as it has letters, rounded up, so that short names do not attract everything.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    // Each letter more is an edit: a name that is much longer is not compared letter by letter.
    if (Math.abs(candidate.length - name.length) > 4) continue;
    const edits = distance(candidate.toLowerCase(), name.toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best !== undefined && fewest <= Math.min(4, Math.ceil(best.length / 2)) ? best : undefined;
}

/** The end of an error message: `; did you mean "groupSize"?`, or nothing where no known name is close. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const close = nearest(name, known);
  return close === undefined ? "" : `; did you mean "${close}"?`;
}
