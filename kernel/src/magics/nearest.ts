import { distance } from "fastest-levenshtein";

/** Last line of an error message, `Did you mean "x"?`, for the name closest to the typed one; "" if none is close. */
export function nearest(typed: string, names: readonly string[]): string {
  const wanted = typed.toLowerCase();
  const [best] = names
    .map((name) => ({ name, away: away(wanted, name.toLowerCase()) }))
    .filter(({ away }) => away <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.away - b.away);
  return best ? `\nDid you mean "${best.name}"?` : "";
}

function away(typed: string, name: string): number {
  if (typed.length >= 3 && (name.startsWith(typed) || typed.startsWith(name))) return 0.5;
  if (typed.length === name.length && swaps(typed).includes(name)) return 1;
  return distance(typed, name);
}

/** Likely intended names if two letters were swapped in typing. */
function swaps(typed: string): string[] {
  return Array.from(
    typed,
    (_, i) => typed.slice(0, i) + (typed[i + 1] ?? "") + typed[i] + typed.slice(i + 2),
  );
}
