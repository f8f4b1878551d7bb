/** The most seeds, and the most jobs of one plan: each has its place in memory, in the table and in the file of results. */
const MOST = 1_000_000;

/**
 * Refuses what would end in the memory's limit, which no program can catch.
 *
 * @param action completes "Cannot ..."
 * @throws {RangeError} if there are more seeds than a list of them can hold
 */
export function expectFewSeeds(action: string, seeds: unknown): void {
  const count = Array.isArray(seeds) ? seeds.length : seeds;
  if (!(typeof count === "number" && count > MOST)) return;
  throw new RangeError(`Cannot ${action}: seeds must be at most ${MOST}, got ${count}.`);
}

/** @throws {RangeError} if the settings of a grid, or these with all their seeds, are too many */
export function expectFewJobs(grid: Readonly<Record<string, unknown>>, seeds: readonly number[]): void {
  const axes = Object.entries(grid).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, value.length] as const] : [],
  );
  const jobs = axes.reduce((product, [, length]) => product * length, seeds.length);
  if (jobs <= MOST) return;
  const factors = [...axes.map(([name, length]) => `${length} ${name}`), `${seeds.length} seeds`].join(" × ");
  throw new RangeError(`Cannot sweep: a plan must have at most ${MOST} jobs, got ${jobs} (${factors}).`);
}
