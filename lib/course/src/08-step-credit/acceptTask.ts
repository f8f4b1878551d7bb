/**
 * Whether RLAnything keeps a task that was made harder or easier.
 *
 * ```
 * harder   .2 <= after < before
 * easier   before < after <= .8,   and after > 0 either way
 * ```
 *
 * `before` and `after` are the shares of solved trajectories, on the old task and on the new one.
 *
 * @see RLAnything, arXiv 2602.02488; reward/alfworld_rl_reward.py:184 in Gen-Verse/Open-AgentRL at 1fe5dbd
 * @throws {RangeError} if a share is not from 0 to 1
 * @example
 * import { acceptTask } from "turnwise-course/step-credit";
 * acceptTask("harder", { before: 0.9, after: 0.5 }); // => true
 * acceptTask("harder", { before: 0.9, after: 0.1 }); // => false
 */
export function acceptTask(
  goal: "harder" | "easier",
  { before, after }: { readonly before: number; readonly after: number },
): boolean {
  for (const [name, share] of Object.entries({ before, after })) {
    if (!(share >= 0 && share <= 1)) {
      throw new RangeError(`Cannot accept a task: ${name} must be from 0 to 1, got ${share}.`);
    }
  }
  if (after === 0) return false;
  return goal === "harder" ? after >= 0.2 && after < before : after > before && after <= 0.8;
}
