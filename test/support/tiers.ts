/** How often a file of tests runs: while working, before a change lands, or by command and every week. */
export type Tier = "fast" | "slow" | "matrix";

/** The tier that a file's name declares: `x.test.ts`, `x.slow.test.ts` or `x.matrix.test.ts`. */
export function tierOf(file: string): Tier {
  const [, tier] = /\.(slow|matrix)\.test\.[jt]s$/.exec(file) ?? [];
  return (tier as Tier | undefined) ?? "fast";
}

/** The npm script that runs each tier; each of the first two includes the tiers before it. */
export const scriptOf: Readonly<Record<Tier, string>> = {
  fast: "npm test",
  slow: "npm run test:all",
  matrix: "npm run test:matrix",
};

/** The files that `npm test` or `npm run test:all` runs. */
export function inTier(files: readonly string[], tier: "fast" | "slow"): string[] {
  const wanted: readonly Tier[] = tier === "fast" ? ["fast"] : ["fast", "slow"];
  return files.filter((file) => wanted.includes(tierOf(file)));
}

/** One line for each tier of which files were left out, with the command that runs them. */
export function notRun(files: readonly string[], ran: readonly string[]): string[] {
  return (["slow", "matrix"] as const).flatMap((tier) => {
    const count = files.filter((file) => tierOf(file) === tier && !ran.includes(file)).length;
    return count === 0 ? [] : [`${String(count).padStart(5)}  ${tier} files; to run them: ${scriptOf[tier]}`];
  });
}
