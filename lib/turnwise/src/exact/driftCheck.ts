import { hypot } from "../base/elementary/hypot";
import { log } from "../base/elementary/log";
import type { Rng } from "../base/rng";
import { impliedDrift, type SurrogateRow } from "./surrogateRow";
import { normalize } from "./tablePolicy";

/** Requirements of mirror learning on a drift, as measured. */
export interface DriftCheck {
  /** The least drift over the policies that were tried. */
  readonly minimum: number;
  readonly atOld: number;
  /** The largest magnitude of a one-sided derivative at the old policy, along directions within the simplex. */
  readonly slopeAtOld: number;
  readonly nonNegative: boolean;
  readonly zeroAtOld: boolean;
  readonly flatAtOld: boolean;
  /** Whether all three requirements are met. */
  readonly valid: boolean;
}

const STEP = 1e-6;

/**
 * Checks the drift that a surrogate implies: D >= 0, D(old) = 0, and all derivatives at the old policy are 0.
 *
 * Half of the policies are drawn from the whole simplex, half from near the old policy.
 *
 * @see Kuba et al., "Mirror Learning" (2022), definition of the drift functional
 */
export function driftCheck(row: SurrogateRow, rng: Rng, o: { trials?: number } = {}): DriftCheck {
  const { trials = 500 } = o;
  const old = Float64Array.from(row.old);
  const atOld = impliedDrift(row, old);
  let minimum = atOld;
  let slopeAtOld = 0;
  for (let i = 0; i < trials; i++) {
    const draw = normalize(old.map(() => -log(1 - rng.next())));
    const near = i % 2 === 0 ? 1 : 0.3 * rng.next();
    const p = draw.map((x, a) => near * x + (1 - near) * old[a]!);
    minimum = Math.min(minimum, impliedDrift(row, p));
    const direction = draw.map((x, a) => x - old[a]!);
    const size = hypot(...direction);
    const moved = old.map((x, a) => x + (STEP / size) * direction[a]!);
    slopeAtOld = Math.max(slopeAtOld, Math.abs(impliedDrift(row, moved) - atOld) / STEP);
  }
  const nonNegative = minimum >= -1e-12;
  const zeroAtOld = Math.abs(atOld) <= 1e-12;
  const flatAtOld = slopeAtOld <= 1e-5;
  return {
    minimum,
    atOld,
    slopeAtOld,
    nonNegative,
    zeroAtOld,
    flatAtOld,
    valid: nonNegative && zeroAtOld && flatAtOld,
  };
}
