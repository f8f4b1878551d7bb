import { difference } from "../../base/difference";
import type { Effect } from "../verdict/effect";

/**
 * How much larger a share is in `a` than in `b`, each a list of 0 and 1.
 *
 * One success and one failure are added to each sample before the interval is taken, so that shares of 0 and 1 keep an error: 0 of
 * 20 against 0 of 20 is no proof that the two are equal.
 *
 * @see Agresti and Caffo, Simple and effective confidence intervals for proportions (The American Statistician 54, 2000)
 */
export function shareGain(a: readonly number[], b: readonly number[]): Effect {
  const { mean, n } = difference(a, b);
  return {
    mean,
    n,
    method: "Agresti and Caffo",
    at: (level) => difference([...a, 0, 1], [...b, 0, 1], { level }),
  };
}
