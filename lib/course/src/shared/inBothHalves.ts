import type { Effect, SeedValue } from "turnwise/internal/verdict/effect";

/** Seeds from here on confirm what the others have found, unless a study says otherwise. */
const CONFIRM_FROM = 20;

/** Coverage that is asked of each half by itself. */
const HALF = 0.95;

/**
 * An effect of all seeds that has to be there in both halves of them: those below `confirmFrom`, and the others.
 *
 * ```
 * low(level)  = min(low of all at level, low of either half at .95), and high likewise
 * ```
 * So a family is corrected over all seeds, since no comparison was chosen by looking at some, and the halves are a replication on
 * top: an effect is told only if each of them tells it by itself.
 *
 * @param effect of the values of one sample over those of another, such as `gain`
 */
export function inBothHalves(
  a: readonly SeedValue[],
  b: readonly SeedValue[],
  effect: (a: readonly number[], b: readonly number[]) => Effect,
  { confirmFrom = CONFIRM_FROM }: { readonly confirmFrom?: number } = {},
): Effect {
  const of = (isOwn: (seed: number) => boolean): Effect | undefined => {
    const [one, other] = [a, b].map((sample) =>
      sample.filter(({ seed }) => isOwn(seed)).map(({ value }) => value),
    ) as [number[], number[]];
    return one.length === 0 || other.length === 0 ? undefined : effect(one, other);
  };
  const all = of(() => true);
  if (!all) throw new RangeError("Cannot compare samples: values must not be empty, got none.");
  const halves = [of((seed) => seed < confirmFrom), of((seed) => seed >= confirmFrom)];
  const own = halves.flatMap((half) => half?.at(HALF) ?? []);
  return {
    mean: all.mean,
    n: Math.min(...halves.map((half) => half?.n ?? 0)),
    method: `${all.method}, and of each half at 95 %`,
    at: (level) => {
      const ends = [all.at(level), ...own];
      return {
        low: Math.min(...ends.map(({ low }) => low)),
        high: Math.max(...ends.map(({ high }) => high)),
      };
    },
  };
}
