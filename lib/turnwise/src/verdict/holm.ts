import { exp } from "../base/elementary/exp";
import { log } from "../base/elementary/log";
import { bisect } from "../base/distribution";
import type { Judge } from "./decide";

/**
 * The level of each comparison's interval by Holm's step-down procedure over a family.
 *
 * The p-value of a comparison is the smallest alpha whose interval, at level 1 - alpha, decides it. In ascending order the k-th of
 * m (from 0) is decided at 1 - alpha / (m - k), up to the first that such an interval leaves open; all after it are left at that
 * one's level, where they are open too. So the interval shown and the decision are one and the same. What was not sampled does
 * not count.
 *
 * @see Holm, A simple sequentially rejective multiple test procedure (Scandinavian Journal of Statistics 6, 1979)
 */
export function holmLevels(family: readonly Judge[], alpha = 0.05): readonly number[] {
  const sampled = family.filter((judge) => judge.sampled);
  const order = new Map(sampled.map((judge) => [judge, sampled.length === 1 ? 0 : pValue(judge)]));
  const ascending = [...order].sort(([, p], [, q]) => p - q);
  const levels = new Map<Judge, number>();
  let open = 0;
  ascending.forEach(([judge, p], k) => {
    const own = alpha / (ascending.length - k);
    if (open === 0 && p > own) open = own;
    levels.set(judge, 1 - (open === 0 ? own : open));
  });
  return family.map((judge) => levels.get(judge) ?? 1 - alpha);
}

/** The smallest alpha at which the interval decides; 1 where none does. */
export function pValue({ decide }: Judge): number {
  const decides = (alpha: number): boolean => {
    const { kind } = decide(1 - alpha);
    return kind !== "not shown" && kind !== "too few seeds";
  };
  const least = 1e-12;
  if (decides(least)) return least;
  if (!decides(1 - least)) return 1;
  // On a logarithmic scale, since small p-values are compared with small levels.
  return exp(bisect((exponent) => decides(exp(exponent)), log(least), log(1 - least), 40));
}
