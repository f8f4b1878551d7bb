import { distance } from "fastest-levenshtein";

/**
 * The known name that a misspelled one most likely means; undefined where none is close.
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

/**
 * Error message about an option that does not exist. It ends with the hint, by default the closest known name; without one, it
 * lists the known names.
 *
 * @param action completes "Cannot ..."
 * @param owner has these options, such as "a recipe"
 */
export function unknownOption(
  action: string,
  path: string,
  owner: string,
  known: readonly string[],
  hint: string = didYouMean(path, known),
): string {
  const has = known.length === 0 ? "no options" : `only ${known.join(", ")}`;
  return `Cannot ${action}: unknown option "${path}".${hint || `\n${owner[0]!.toUpperCase()}${owner.slice(1)} may have ${has}.`}`;
}

/** Last line of an error message, `Did you mean "groupSize"?`, with its line break; "" if no known name is close. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const close = nearest(name, known);
  return close === undefined ? "" : `\nDid you mean "${close}"?`;
}
