import type { Recipe } from "../../rule";
import { ascent } from "./expectation";
import { figure, type Finding } from "./finding";
import { owns } from "./own";
import type { Rollout } from "./rollout";
import { selected } from "./rowOrder";
import { samples } from "./samples";
import { tokenGradient } from "./tokenGradient";
import { norm } from "../../base/vectors";

/** A batch that holds everything twice asks for the same step. */
export function batchSize(rule: Recipe): Finding {
  let factor = 1;
  for (const { case: one, rollout } of samples) {
    const before = norm(ascent(rollout, one.policy, tokenGradient(rule, rollout)));
    if (before === 0) continue;
    const twice = doubled(rollout);
    const after = norm(ascent(twice, one.policy, tokenGradient(rule, twice)));
    if (Math.abs(after / before - 1) >= Math.abs(factor - 1)) factor = after / before;
  }
  const figures = { "factor of twice the batch": factor };
  if (Math.abs(factor - 1) <= TOLERANCE) {
    return {
      check: "batch size",
      verdict: "passed",
      sentence: `Twice the batch gives a step of ${Math.abs(factor - 1) < 1e-6 ? "the same" : `${figure(factor)} times the`} length.`,
      figures,
    };
  }
  return {
    check: "batch size",
    verdict: owns(rule, "aggregate", "loss", "advantage", "scale", "gate", "reward") ? "failed" : "told",
    sentence: `Twice the batch makes the step ${figure(factor)} times as long, so the learning rate depends on the batch.`,
    hint: "A sum where a mean is meant: divide by the number of tokens or trajectories.",
    figures,
  };
}

/** Bound that a deviation with n - 1 moves stays well below; a sum doubles. */
const TOLERANCE = 0.1;

function doubled(rollout: Rollout): Rollout {
  const rows = [...rollout.batch.trajectoryId.keys()];
  const twice = selected(rollout, [...rows, ...rows]);
  const copy = (ids: readonly string[]): string[] =>
    ids.map((id, n) => (n < rows.length ? id : `copy of ${id}`));
  return {
    ...twice,
    batch: {
      ...twice.batch,
      trajectoryId: copy(twice.batch.trajectoryId),
      groupId: copy(twice.batch.groupId),
    },
  };
}
