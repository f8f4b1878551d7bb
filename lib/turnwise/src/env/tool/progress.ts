/** One thing that a verifier can see done in the state of a task. */
export interface Milestone {
  readonly id: string;
  /** Share of the progress; the weights of a task sum to 1. */
  readonly weight: number;
  /** Milestones that must have counted in an earlier turn. */
  readonly dependsOn?: readonly string[];
}

/** The milestones that count in this turn: they hold, did not count before, and do not wait for another one. */
export function newlyPassed(
  milestones: readonly Milestone[],
  holding: readonly string[],
  passed: readonly string[],
): string[] {
  return milestones
    .filter(
      ({ id, dependsOn = [] }) =>
        !passed.includes(id) && holding.includes(id) && dependsOn.every((other) => passed.includes(other)),
    )
    .map(({ id }) => id);
}

/** Sum of the weights of the milestones that have counted, in [0, 1]. */
export function progressOf(milestones: readonly Milestone[], passed: readonly string[]): number {
  let progress = 0;
  for (const { id, weight } of milestones) if (passed.includes(id)) progress += weight;
  return progress;
}
