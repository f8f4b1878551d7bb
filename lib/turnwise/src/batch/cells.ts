import type { Batch } from "./batch";

/** Calls `visit` for every turn that was taken, within the given rows and turns (default all). */
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

/** The cells with mask 1 in the turns that were taken, within the given rows and turns (default all). */
export function activeTokens(
  batch: Batch,
  rows: ArrayLike<number> | undefined,
  turns: ArrayLike<number> | undefined,
): Int32Array {
  const [N, T, L] = batch.shape;
  const { mask_ntl } = batch;
  const cells = new Int32Array((rows?.length ?? N) * (turns?.length ?? T) * L);
  let count = 0;
  forEachTurn(batch, rows, turns, (n, t) => {
    const first = (n * T + t) * L;
    for (let cell = first; cell < first + L; cell++) if (mask_ntl[cell]) cells[count++] = cell;
  });
  return cells.subarray(0, count);
}

/** Describes the place of a cell, for messages: "trajectory 0.3, turn 1, token 0", with the number of its row if there are no ids. */
export function cellName(
  { shape: [, T, L], trajectoryId }: Pick<Batch, "shape"> & Partial<Pick<Batch, "trajectoryId">>,
  cell: number,
): string {
  const n = Math.floor(cell / (T * L));
  return `trajectory ${trajectoryId?.[n] ?? n}, turn ${Math.floor(cell / L) % T}, token ${cell % L}`;
}
