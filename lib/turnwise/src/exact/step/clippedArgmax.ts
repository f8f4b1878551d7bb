import { NO } from "../../rule/gate/contract";
import { boundMet } from "../../rule/gate/clip";
import type { RowBatch } from "./rowBatch";

interface Segment {
  readonly action: number;
  /** Probability mass that this piece can take. */
  readonly width: number;
  readonly slope: number;
  /** Whether it lies below the old probability; of tied pieces those are filled first. */
  readonly below: boolean;
}

/** Slopes closer than this, relative to the largest, are ties. */
const TIE = 1e-12;

/**
 * The exact maximizer of the expected clipped surrogate over the simplex.
 *
 *   L(p) = sum_a W+_a min(p_a / old_a, 1 + clipHigh) + W-_a max(p_a / old_a, 1 - clipLow)
 *
 * L is concave and piecewise linear in each p_a, so filling the pieces in the order of falling slope until the mass is 1 is
 * exact. Of several maximizers this takes one near the old policy: tied pieces fill in proportion to their width, those
 * below the old probability first.
 *
 * @see PPO, arXiv 1707.06347, Eq. 7, for the surrogate
 */
export function clippedArgmax(
  { old, positive, negative }: RowBatch,
  { clipLow, clipHigh }: { readonly clipLow: number; readonly clipHigh: number },
): Float64Array {
  const [low, high] = [1 - clipLow, 1 + clipHigh];
  const free = (ratio: number, advantage: 1 | -1): boolean => boundMet(ratio, advantage, low, high) === NO;
  const segments: Segment[] = [];
  old.forEach((p, action) => {
    if (p === 0) return;
    const up = positive[action]! / p;
    const down = negative[action]! / p;
    // What a unit of mass gains at a ratio inside of the piece.
    const slopeAt = (ratio: number): number => (free(ratio, 1) ? up : 0) + (free(ratio, -1) ? down : 0);
    const [least, most] = [Math.min(1, low * p), Math.min(1, high * p)];
    segments.push({ action, width: least, slope: slopeAt(low / 2), below: true });
    segments.push({ action, width: p - least, slope: slopeAt((low + 1) / 2), below: true });
    segments.push({ action, width: most - p, slope: slopeAt((1 + high) / 2), below: false });
    segments.push({ action, width: 1 - most, slope: slopeAt(2 * high), below: false });
  });
  const tie = TIE * Math.max(...segments.map((s) => Math.abs(s.slope)));
  segments.sort((a, b) => b.slope - a.slope);
  const result = new Float64Array(old.length);
  let left = 1;
  for (let from = 0; from < segments.length && left > 0;) {
    let to = from + 1;
    while (to < segments.length && segments[to]!.slope >= segments[from]!.slope - tie) to++;
    const tied = segments.slice(from, to);
    for (const below of [true, false]) {
      left = fill(
        tied.filter((s) => s.below === below),
        left,
        result,
      );
    }
    from = to;
  }
  return result;
}

/** Fills the pieces in proportion to their width and returns the mass that is left. */
function fill(segments: readonly Segment[], mass: number, into: Float64Array): number {
  const capacity = segments.reduce((sum, s) => sum + s.width, 0);
  if (capacity === 0 || mass <= 0) return mass;
  const share = Math.min(1, mass / capacity);
  for (const { action, width } of segments) into[action]! += share * width;
  return share === 1 ? Math.max(0, mass - capacity) : 0;
}
