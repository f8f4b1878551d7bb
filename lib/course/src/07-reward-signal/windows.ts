/** Means of rows of numbers over equal windows of a run. */
export interface Windows {
  /** One row for each completed window. */
  readonly means: readonly (readonly number[])[];
  add(row: readonly number[]): void;
}

/**
 * Averages `updates` rows over `count` windows.
 *
 * @throws {RangeError} if the updates do not divide into windows of equal length
 */
export function windows(updates: number, count: number): Windows {
  const width = updates / count;
  if (!Number.isInteger(width) || width < 1) {
    throw new RangeError(`Cannot average a run: updates must be a multiple of ${count}, got ${updates}.`);
  }
  const means: number[][] = [];
  let sum: number[] = [];
  let rows = 0;
  return {
    means,
    add(row) {
      sum = row.map((x, i) => x + (sum[i] ?? 0));
      if (++rows < width) return;
      means.push(sum.map((x) => x / width));
      sum = [];
      rows = 0;
    },
  };
}
