/**
 * The curve that never falls and comes nearest to the values, by least squares: neighbors out of order are replaced by their mean.
 *
 * `risingFit([1, 3, 2, 4])` is `[1, 2.5, 2.5, 4]`.
 *
 * @see Ayer, Brunk, Ewing, Reid and Silverman, "An empirical distribution function for sampling with incomplete information", 1955
 */
export function risingFit(values: readonly number[]): number[] {
  const blocks: { sum: number; count: number }[] = [];
  for (const value of values) {
    let block = { sum: value, count: 1 };
    for (
      let last = blocks.at(-1);
      last && last.sum / last.count > block.sum / block.count;
      last = blocks.at(-1)
    ) {
      block = { sum: block.sum + last.sum, count: block.count + last.count };
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
}
