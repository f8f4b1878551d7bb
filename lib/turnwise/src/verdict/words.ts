/** A difference with the ends of its interval. */
export interface Gap {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** An interval as ledgers show it: "0.98 [0.97, 0.99]". */
export function shown({ mean, low, high }: Gap, digits = 3): string {
  return `${mean.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
}

/** Runs that were computed again, and how many of them equal the stored ones. */
export interface Reproduced {
  readonly equal: number;
  readonly of: number;
}
