import { distance } from "fastest-levenshtein";

/** `; did you mean "x"?` for the name nearest to what was typed; "" where none is near. */
export function nearest(typed: string, names: readonly string[]): string {
  const wanted = typed.toLowerCase();
  const [best] = names
    .map((name) => ({ name, away: away(wanted, name.toLowerCase()) }))
    .filter(({ away }) => away <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.away - b.away);
  return best ? `; did you mean "${best.name}"?` : "";
}

function away(typed: string, name: string): number {
  if (typed.length >= 3 && (name.startsWith(typed) || typed.startsWith(name))) return 0.5;
  return distance(typed, name);
}
