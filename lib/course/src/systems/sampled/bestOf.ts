/**
 * Advantages of a group of which only the best of every few members in the order of the batch is kept, as a search inside of rollouts does.
 *
 * ```
 * A_n = (R_n - mean R) / (std R + 1e-6) over the kept members of the group; 0 for those that are left out
 * ```
 * Of equal returns the first is kept. With 1 it is GRPO's advantage.
 */
export function bestOfAdvantage(
  { return_n, groupId }: { readonly return_n: ArrayLike<number>; readonly groupId: readonly string[] },
  few: number,
): number[] {
  const groups = new Map<string, number[]>();
  groupId.forEach((id, n) => groups.set(id, [...(groups.get(id) ?? []), n]));
  const advantage_n = groupId.map(() => 0);
  for (const members of groups.values()) {
    const kept: number[] = [];
    for (let first = 0; first < members.length; first += few) {
      const candidates = members.slice(first, first + few);
      kept.push(candidates.reduce((best, n) => (return_n[n]! > return_n[best]! ? n : best)));
    }
    const mean = kept.reduce((sum, n) => sum + return_n[n]!, 0) / kept.length;
    const squares = kept.map((n) => return_n[n]! - mean).reduce((sum, x) => sum + x * x, 0);
    const std = Math.sqrt(squares / Math.max(1, kept.length - 1));
    for (const n of kept) advantage_n[n] = (return_n[n]! - mean) / (std + 1e-6);
  }
  return advantage_n;
}
