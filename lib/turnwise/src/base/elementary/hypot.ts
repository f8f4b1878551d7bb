/** The length of a vector whose squares neither overflow nor vanish. */
export function hypot(...x: readonly number[]): number {
  let sum = 0;
  for (const one of x) sum += one * one;
  return Math.sqrt(sum);
}
