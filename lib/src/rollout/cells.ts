import type { Batch } from "./batch";

/** Calls `visit` for every turn that was taken, in the given rows and turns (default all). */
export function forEachTurn(
  batch: Batch,
  rows: ArrayLike<number> | undefined,
  turns: ArrayLike<number> | undefined,
  visit: (n: number, t: number) => void,
): void {
  const [N, T] = batch.shape;
  const rowCount = rows?.length ?? N;
  const turnCount = turns?.length ?? T;
  for (let i = 0; i < rowCount; i++) {
    const n = rows ? rows[i]! : i;
    const taken = batch.turnCount_n[n]!;
    for (let j = 0; j < turnCount; j++) {
      const t = turns ? turns[j]! : j;
      if (t < taken) visit(n, t);
    }
  }
}
