/** The names nearest to a mistyped one: a few edits away, or with the typed text in them. */
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

/** Levenshtein's distance. */
export function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length]!;
}
