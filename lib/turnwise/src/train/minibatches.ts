import type { Rng } from "../base/rng";

/** Shuffles the rows into `count` parts whose sizes differ by at most one; fewer parts if there are fewer rows. One part is not shuffled. */
export function minibatches(rows: readonly number[], count: number, rng: Rng): (readonly number[])[] {
  if (count === 1) return [rows];
  const shuffled = rng.shuffle(rows);
  const parts = Math.min(count, shuffled.length);
  return Array.from({ length: parts }, (_, i) =>
    shuffled.slice(
      Math.floor((i * shuffled.length) / parts),
      Math.floor(((i + 1) * shuffled.length) / parts),
    ),
  );
}
