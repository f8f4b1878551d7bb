import assert from "node:assert/strict";
import { echoTrapRun, traps, type LeverName, type TrapName } from "turnwise-course/echo-trap";

/** Whether a lever draws the samples and takes the steps of a trap, in twenty updates or until the run stops. */
export async function countsAlike(lever: LeverName, trap: TrapName): Promise<void> {
  const updates = 20;
  const { groups, groupSize, epochs, minibatches } = traps[trap];
  const run = await echoTrapRun({ trap, lever, seed: 1, change: { updates } });
  const made = run.stoppedAt === null ? updates : run.stoppedAt - 1;
  assert.equal(run.samples, made * groups * groupSize, `samples of ${lever} in ${trap}`);
  if (lever === "1 step per batch") assert.equal(run.optimizerSteps, made);
  // One to four turns are there.
  else if (lever === "SeeUPO, 1 step per turn") assert.ok(run.optimizerSteps <= 4 * made);
  else assert.equal(run.optimizerSteps, made * epochs * minibatches, `steps of ${lever} in ${trap}`);
}
