import type { Batch } from "../batch/batch";

/** As many trajectories can be read beside the controls. */
const mostRows = 4;

/** The first group whose members earned different rewards, as only there is something to compare; else the first one. */
export function groupOf(batch: Batch): number[] {
  const groups = new Map<string, number[]>();
  batch.groupId.forEach((id, n) => groups.set(id, [...(groups.get(id) ?? []), n]));
  const all = [...groups.values()];
  const mixed = all.find((rows) => new Set(rows.map((n) => batch.return_n[n])).size > 1);
  return spread(mixed ?? all[0]!, batch);
}

/** So many of a group that the best and the worst are among them. */
function spread(rows: readonly number[], { return_n }: Batch): number[] {
  if (rows.length <= mostRows) return [...rows];
  const sorted = [...rows].sort((a, b) => return_n[b]! - return_n[a]! || a - b);
  const half = mostRows / 2;
  return [...sorted.slice(0, half), ...sorted.slice(-half)].sort((a, b) => a - b);
}
