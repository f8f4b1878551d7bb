import type { Policy } from "../policy/policy";

/** The kind of compute, within which a run has the same bits. */
export const computeOf = (policy: Policy): string => policy.computeKind ?? "float64";

/** Note if a checkpoint goes on with another kind of compute; none for checkpoints that do not record theirs. */
export function noteOnCompute(before: string | undefined, now: string): string | undefined {
  if (before === undefined || before === now) return undefined;
  return (
    `The checkpoint was computed with ${before}, and the run goes on with ${now}: ` +
    "the last bits of its numbers differ from those of a run that was never interrupted, and a chaotic run becomes another"
  );
}
