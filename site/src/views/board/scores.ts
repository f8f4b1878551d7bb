/** A world of the board: the exact returns of the random policy and of the best one. */
export interface World {
  readonly id: string;
  readonly asks: string;
  readonly random: number;
  readonly optimum: number;
}

/** A rule on the board: its exact returns by world, then by seed. */
export interface Scored {
  readonly name: string;
  readonly title: string;
  readonly runs: readonly (readonly number[])[];
}

/** All that the board shows before anything is trained. */
export interface Board {
  readonly updates: number;
  readonly seeds: readonly number[];
  readonly worlds: readonly World[];
  readonly rules: readonly Scored[];
}

/** Scores of a rule: how far it comes from the random policy, 0, to the best one, 1. */
export interface Score {
  readonly overall: number;
  readonly byWorld: readonly number[];
  /** Mean over the worlds, for each seed. */
  readonly bySeed: readonly number[];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Scores over the seeds that all worlds have, which are fewer while a rule is being trained. */
export function scoreOf(worlds: readonly World[], runs: Scored["runs"]): Score {
  const seeds = Math.min(...runs.map(({ length }) => length));
  const shares = worlds.map(({ random, optimum }, w) =>
    runs[w]!.slice(0, seeds).map((J) => (J - random) / (optimum - random)),
  );
  const bySeed = Array.from({ length: seeds }, (_, s) => mean(shares.map((one) => one[s]!)));
  return { overall: mean(bySeed), byWorld: shares.map(mean), bySeed };
}

/** Student's t at 97.5% with 19 degrees of freedom: twenty seeds. */
const T19 = 2.093;

/** The gain of one rule over another on the same seeds, with its 95% interval; NaN before there are twenty. */
export function gainOf(
  a: Score,
  b: Score,
): { readonly gain: number; readonly low: number; readonly high: number } {
  const differences = a.bySeed.map((score, s) => score - b.bySeed[s]!);
  const gain = mean(differences);
  const n = differences.length;
  const error = Math.sqrt(differences.reduce((sum, d) => sum + (d - gain) ** 2, 0) / (n - 1) / n);
  const half = n === 20 ? T19 * error : NaN;
  return { gain, low: gain - half, high: gain + half };
}

/** Place of a score among others, from 1: one more than there are better ones. */
export const placeOf = (overall: number, others: readonly number[]): number =>
  1 + others.filter((other) => other > overall).length;
