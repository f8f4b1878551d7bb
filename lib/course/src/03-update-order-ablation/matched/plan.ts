import type { SweepTask } from "turnwise/internal/sweep/plan";
import { matchedArms, matchedRates, matchedSeeds, tunedArms, type MatchedWorld } from "./design";
import { matchedArmRates, type TunedPoint } from "./rates";

/** One setting of a sweep: a world, an arm and its learning rate. */
export interface MatchedCell {
  readonly name: string;
  readonly world: MatchedWorld;
  readonly arm: string;
  readonly rate: number;
}

/** The plan of a sweep over the arms of one world. */
export interface MatchedPlan {
  readonly task: SweepTask;
  readonly grid: { readonly cell: readonly MatchedCell[] };
  readonly seeds: readonly number[];
  readonly metric: "success";
}

/** The run of an arm, as sweeps name it. */
export const task: SweepTask = Object.freeze({ module: "turnwise-course/jobs", export: "matchedOrderJob" });

/** Every arm of a world that is tuned, at every rate, on the seeds of the tuning. */
export function tuningPlan(world: MatchedWorld): MatchedPlan {
  const cell = tunedArms(world).flatMap(({ name: arm }) =>
    matchedRates(world).map((rate): MatchedCell => ({ name: `${arm}, rate ${rate}`, world, arm, rate })),
  );
  return { task, grid: { cell }, seeds: matchedSeeds.tuning, metric: "success" };
}

/** Every arm of a world at the rate that its tuning chose, on the seeds of the study. */
export function studyPlan(world: MatchedWorld, tuning: readonly TunedPoint[]): MatchedPlan {
  const rates = matchedArmRates(world, tuning);
  const cell = matchedArms(world).map(({ name: arm }): MatchedCell => ({
    name: arm,
    world,
    arm,
    rate: rates.get(arm)!.rate,
  }));
  return { task, grid: { cell }, seeds: matchedSeeds.study, metric: "success" };
}
