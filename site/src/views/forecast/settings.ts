/** Number of draws of ten runs that a link may name. */
export const DRAWS = 1000;

/** Settings of the page about the forecaster: which ten runs are drawn. */
export const settings = {
  draw: { kind: "number", initial: 0, values: Array.from({ length: DRAWS }, (_, i) => i) },
} as const;
