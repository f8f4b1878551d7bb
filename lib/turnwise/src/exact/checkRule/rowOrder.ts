import { sin } from "../../base/elementary/trigonometric";
import { selectBlocks, selectTrajectories } from "../../batch/select";
import type { Recipe } from "../../rule";
import { figure, type Finding } from "./finding";
import type { Rollout } from "./rollout";
import { moved, samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { relativeDifference } from "../../base/vectors";

/** Rows in another order get the same gradients, trajectory by trajectory. */
export function rowOrder(rule: Recipe): Finding {
  let worst = 0;
  for (const { rollout } of samples) {
    const [N, T, L] = rollout.batch.shape;
    const expected = push(rule, rollout);
    // Backwards and interleaved: neighbors are separated, and groups no longer stand together.
    for (const order of [
      Array.from({ length: N }, (_, n) => N - 1 - n),
      Array.from({ length: N }, (_, n) => (n * 5 + 2) % N),
    ]) {
      const found = push(rule, selected(rollout, order));
      worst = Math.max(worst, relativeDifference(selectBlocks(expected, order, T * L), found));
    }
  }
  const passed = worst <= 1e-4;
  return {
    check: "row order",
    verdict: passed ? "passed" : "failed",
    sentence: passed
      ? "The order of the rows changes nothing."
      : `Rows in another order change the gradient by ${figure(worst)} of its largest entry.`,
    ...(passed
      ? {}
      : { hint: "Find a group by groupId and a trajectory by trajectoryId, never by its place." }),
    figures: { "largest change": worst },
  };
}

function push(rule: Recipe, rollout: Rollout): Float64Array {
  const mass = rollout.batch.oldLogProb_ntl;
  // A shift that belongs to the token, not to its place.
  return tokenGradient(rule, rollout, { logProb_ntl: moved(rollout, (i) => 0.1 * sin(9 * mass[i]!)) })
    .dLogProb_ntl;
}

/** The given rows of a rollout. */
export function selected(rollout: Rollout, rows: readonly number[]): Rollout {
  const [N, T, L] = rollout.batch.shape;
  return {
    ...rollout,
    batch: selectTrajectories(rollout.batch, rows),
    value_nt: selectBlocks(rollout.value_nt, rows, T),
    refLogProb_ntl: selectBlocks(rollout.refLogProb_ntl, rows, T * L),
    entropy_ntl: selectBlocks(rollout.entropy_ntl, rows, T * L),
    logProb_ntlv: selectBlocks(rollout.logProb_ntlv, rows, rollout.logProb_ntlv.length / N),
    parameter_ntl: selectBlocks(rollout.parameter_ntl, rows, T * L),
    state_ntl: selectBlocks(rollout.state_ntl, rows, T * L),
  };
}
