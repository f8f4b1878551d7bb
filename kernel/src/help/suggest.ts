import { distance as edits } from "fastest-levenshtein";

/** The names nearest to a misspelled one, best first: a few edits away, or with the typed text in them. */
export function suggest(typed: string, names: Iterable<string>, most = 5): string[] {
  const wanted = typed.toLowerCase();
  return [...names]
    .map((name) => {
      const lower = name.toLowerCase();
      const within = wanted.length >= 3 && (lower.includes(wanted) || wanted.includes(lower));
      return { name, distance: within ? 0.5 : edits(wanted, lower) };
    })
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}
