/** An entry of the index: its kind, its title, a text that is searched and shown, and the address that it leads to. */
export type Entry = readonly [kind: string, title: string, text: string, href: string];

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Points of an entry for the words of a query; 0 if one of them is missing. */
function score([, title, text]: Entry, query: readonly string[]): number {
  const [inTitle, inText] = [words(title), words(text)];
  let sum = 0;
  for (const word of query) {
    const best = Math.max(
      ...inTitle.map((one) => (one === word ? 8 : one.startsWith(word) ? 6 : 0)),
      ...inText.map((one) => (one === word ? 2 : one.startsWith(word) ? 1 : 0)),
      // A part of a name such as reward/fracZeroStd or seeUpo.
      word.length > 2 && title.toLowerCase().includes(word) ? 3 : 0,
      0,
    );
    if (best === 0) return 0;
    sum += best;
  }
  // Of equally good titles, the shorter one is closer to what was asked.
  return sum / query.length + (inTitle.join("") === query.join("") ? 4 : 0) + 1 / (1 + inTitle.length);
}

/** The entries that have every word of a query, the best first. */
export function find(entries: readonly Entry[], query: string, most = 12): Entry[] {
  const asked = words(query);
  if (asked.length === 0) return [];
  return entries
    .map((entry) => ({ entry, points: score(entry, asked) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, most)
    .map(({ entry }) => entry);
}
