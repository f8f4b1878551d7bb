import { createRng } from "../base/rng";
import { ROSE, WINDOW } from "./fall";

/** A fall that chance makes more often is not called one. */
export const FALL_LEVEL = 0.05;

/** The same where one looks after every step, as a hundred looks find by luck what one look seldom does. */
export const FOLLOWED_FALL_LEVEL = 0.005;

const REORDERINGS = 999;

/**
 * How often the same values in random order fall as deep as they do in theirs: a fall that chance makes as easily is no news.
 *
 * p = (1 + #{b : depth(shuffled_b) >= depth}) / (1 + 999), depth = max over t of 1 - mean10_t / max_{s <= t} mean10_s, counted where
 * that highest mean is above .6, as `fallOf` does. It is valid if steps are exchangeable when nothing happens; learning makes
 * reorderings fall deeper, so that p is too high rather than too low. Values that are not finite are left out.
 *
 * @see Phipson and Smyth, "Permutation P-values Should Never Be Zero", 2010, for the 1 + (1603.05766)
 */
export function fallChance(success: readonly (number | undefined)[]): number {
  const values = success.filter((x): x is number => x !== undefined && Number.isFinite(x));
  const depth = deepest(values);
  const rng = createRng(0).split("fall-chance");
  let asDeep = 0;
  for (let b = 0; b < REORDERINGS; b++) if (deepest(rng.shuffle(values)) >= depth) asDeep += 1;
  return (1 + asDeep) / (1 + REORDERINGS);
}

/** The deepest fall of the mean of 10 values, as a share of its highest before; 0 if it never was high. */
function deepest(values: readonly number[]): number {
  let sum = 0;
  let best = 0;
  let depth = 0;
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! - (values[i - WINDOW] ?? 0);
    if (i + 1 < WINDOW) continue;
    const mean = sum / WINDOW;
    best = Math.max(best, mean);
    if (best > ROSE) depth = Math.max(depth, 1 - mean / best);
  }
  return depth;
}
