import { leverTraps, type JudgedLever } from "./leverMatrix";

/** States how many of the levers work in some trap, and in how many traps the best one does. */
export function fixesTitle(judged: readonly JudgedLever[], noun: string): string {
  const works = new Map<string, number>();
  for (const { lever, word } of judged)
    if (word === "fixes" || word === "helps") works.set(lever, (works.get(lever) ?? 0) + 1);
  const most = Math.max(0, ...works.values());
  const [all, count] = [leverTraps.length, works.size];
  if (most === all) return `${String(count)} ${noun} work somewhere, some in all ${String(all)} traps`;
  return `${String(count)} ${noun} work somewhere, and none in more than ${String(most)} of ${String(all)} traps`;
}
