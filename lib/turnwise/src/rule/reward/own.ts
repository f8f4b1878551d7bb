import type { Batch } from "../../batch/batch";
import { standInForGroup } from "../../schema";
import type { Custom } from "../custom/custom";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { perUnit, type CustomNumbers } from "../custom/customNumbers";
import { term } from "../term";
import { copyOf } from "../custom/customBatch";
import { expectBlind } from "../custom/customProbe";

/**
 * Reward added to a batch: for each trajectory [N], on its last turn, or for each turn [N, T].
 *
 * The batch's rewards are those of the environment.
 */
export type RewardFunction = (batch: Batch) => CustomNumbers;

export const own = term({
  equation: String.raw`+f(\text{batch})`,
  source: "yours",
  field: standInForGroup(
    customFunction<RewardFunction>(
      "A function of your own, whose numbers are added to the rewards; null for none.",
    ),
  ),
  label: (field) => (field === null ? [] : [field.label]),
});

const field = "reward.custom";

/** Adds to the rewards in place. */
export function addOwnReward(
  by: Custom<RewardFunction>,
  batch: Batch,
  { return_n, reward_nt }: { readonly return_n: Float64Array; readonly reward_nt: Float64Array },
): void {
  const [N, T] = batch.shape;
  const of = (seen: Batch) =>
    perUnit(
      named(field, { by }),
      batch,
      callCustom(field, { by }, copyOf(seen)),
      ["trajectory", "turn"],
      "taken",
    );
  const added = of(batch);
  expectBlind(named(field, { by }), by, batch, added.advantage, (seen) => of(seen).advantage);
  for (let n = 0; n < N; n++) {
    const turns = batch.turnCount_n[n]!;
    if (turns === 0) continue;
    if (added.level === "trajectory") {
      reward_nt[n * T + turns - 1]! += added.advantage[n]!;
      return_n[n]! += added.advantage[n]!;
      continue;
    }
    for (let t = 0; t < turns; t++) {
      reward_nt[n * T + t]! += added.advantage[n * T + t]!;
      return_n[n]! += added.advantage[n * T + t]!;
    }
  }
}
