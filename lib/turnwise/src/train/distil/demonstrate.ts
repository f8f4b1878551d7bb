import type { Batch } from "../../batch/batch";
import { concatBatches, selectTrajectories } from "../../batch/select";
import type { Env } from "../../env/env";
import type { Policy } from "../../policy/policy";
import { collect, type CollectOptions } from "../../rollout/collect";

/**
 * Samples groups of which the last members are a teacher's: same start, other player.
 *
 * The batch has the contexts and log-probs of the student, since nobody knows those of a demonstrator, and says in
 * `demonstration_n` whose a trajectory is. The student's own draws do not depend on the teacher.
 *
 * @throws {RangeError} unless at least one member of a group is the student's
 */
export function collectWithDemonstrations(
  env: Env,
  student: Policy,
  { teacher, demonstrations }: { readonly teacher: Policy; readonly demonstrations: number },
  o: CollectOptions,
): Batch {
  const own = o.groupSize - demonstrations;
  if (own < 1) {
    throw new RangeError(
      `Cannot collect: a group must have room for the policy next to ${demonstrations} demonstrations, got groupSize ${o.groupSize}.`,
    );
  }
  const played = collect(env, student, { ...o, groupSize: own });
  const shown = asRead(
    collect(env, readBy(teacher, student), { ...o, groupSize: demonstrations, temperature: 1 }),
    student,
  );
  const all = concatBatches([marked(played, 0), marked(shown, 1)]);
  const rows = Array.from({ length: o.groups }, (_, g) => [
    ...Array.from({ length: own }, (_, i) => g * own + i),
    ...Array.from({ length: demonstrations }, (_, i) => o.groups * own + g * demonstrations + i),
  ]);
  return selectTrajectories(all, rows.flat());
}

/** The teacher's turns with the student's contexts. */
export function readBy(teacher: Policy, student: Policy): Policy {
  return Object.assign(Object.create(teacher) as Policy, {
    sample: (...given: Parameters<Policy["sample"]>) =>
      teacher.sample(...given).map((sample, i) => ({ ...sample, context: student.contextOf(given[0][i]!) })),
  });
}

function asRead(batch: Batch, student: Policy): Batch {
  return {
    ...batch,
    trajectoryId: batch.trajectoryId.map((id) => `${id}.demonstration`),
    oldLogProb_ntl: student.evaluate(batch).logProb_ntl.slice(),
  };
}

function marked(batch: Batch, demonstration: number): Batch {
  return { ...batch, demonstration_n: new Uint8Array(batch.shape[0]).fill(demonstration) };
}

/** The batch without what a teacher played: how well a policy does is measured on its own trajectories. */
export function playedByPolicy(batch: Batch): Batch {
  const shown = batch.demonstration_n;
  if (shown === undefined) return batch;
  return selectTrajectories(
    batch,
    Array.from(shown.keys()).filter((n) => shown[n] === 0),
  );
}
