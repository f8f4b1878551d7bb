/**
 * Mean of the values between the first and the third quartile; a value on the border counts in part.
 *
 * @see Agarwal et al., "Deep Reinforcement Learning at the Edge of the Statistical Precipice" (2108.13264), section 4.3
 */
export function interquartileMean(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = sorted.length / 4;
  let sum = 0;
  let weight = 0;
  sorted.forEach((x, i) => {
    const share = Math.max(0, Math.min(i + 1, sorted.length - cut) - Math.max(i, cut));
    sum += share * x;
    weight += share;
  });
  return sum / weight;
}
