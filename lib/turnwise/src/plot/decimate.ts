/** A point of a curve. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * At most `limit` points that look like the whole line: the first, the last, and the lowest and highest of every bucket.
 *
 * Spikes survive, which averaging or striding would hide.
 *
 * @throws {RangeError} if `limit` is below 4
 */
export function decimate<P extends Point>(points: readonly P[], limit: number): readonly P[] {
  if (!(limit >= 4)) throw new RangeError(`Cannot decimate points: limit must be >= 4, got ${limit}.`);
  if (points.length <= limit) return points;
  const buckets = Math.floor((limit - 2) / 2);
  const inner = points.length - 2;
  const kept: P[] = [points[0]!];
  for (let b = 0; b < buckets; b++) {
    const from = 1 + Math.floor((b * inner) / buckets);
    const to = 1 + Math.floor(((b + 1) * inner) / buckets);
    let low = from;
    let high = from;
    for (let i = from; i < to; i++) {
      if (points[i]!.y < points[low]!.y) low = i;
      if (points[i]!.y > points[high]!.y) high = i;
    }
    for (const i of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) kept.push(points[i]!);
  }
  kept.push(points[points.length - 1]!);
  return kept;
}

/**
 * At most `limit` points of a path in the plane, evenly along its steps, with the first and the last.
 *
 * @throws {RangeError} if `limit` is below 2
 */
export function decimatePath<P>(points: readonly P[], limit: number): readonly P[] {
  if (!(limit >= 2)) throw new RangeError(`Cannot decimate a path: limit must be >= 2, got ${limit}.`);
  if (points.length <= limit) return points;
  return Array.from(
    { length: limit },
    (_, k) => points[Math.round((k * (points.length - 1)) / (limit - 1))]!,
  );
}
