import type { SweepTask } from "turnwise/internal/sweep/plan";
import {
  networkArmsIn,
  networkQuestions,
  networkRates,
  networkSeeds,
  networkWorlds,
  type NetworkArmName,
  type NetworkWorldName,
} from "./networkDesign";
import type { NetworkJob, NetworkRun } from "./networkRun";
import { bestRate, meansByRate, preregistered, type StudyPlan } from "./study";

type NetworkPlan = StudyPlan<NetworkJob["cell"]>;

const task: SweepTask = Object.freeze({ module: "turnwise-course/jobs", export: "networkRuleJob" });

/** The arms of a world at every learning rate, on the seeds of the tuning. */
export function networkTuningPlan(world: NetworkWorldName): NetworkPlan {
  const cell = networkArmsIn(world).flatMap((arm) =>
    networkRates.map((rate) => ({ name: `${arm}, rate ${rate}`, world, arm, rate })),
  );
  return { task, grid: { cell }, seeds: networkSeeds.tuning, metric: "learned" };
}

/** The same at the rate that the tuning chose, on the seeds of the study. */
export function networkStudyPlan(world: NetworkWorldName, tuning: readonly TunedNetwork[]): NetworkPlan {
  const cell = networkArmsIn(world).map((arm) => ({
    name: arm,
    world,
    arm,
    rate: tunedNetworkRate(tuning, world, arm),
  }));
  return { task, grid: { cell }, seeds: networkSeeds.study, metric: "learned" };
}

/** The mean outcomes of the tuning runs of one arm at one rate. */
export type TunedNetwork = Pick<NetworkRun, "world" | "arm" | "rate" | "learned" | "final" | "kept"> & {
  readonly seeds: number;
};

/** Averages the runs of each arm and rate over their seeds. */
export const tunedNetworks = (runs: readonly NetworkRun[]): TunedNetwork[] =>
  meansByRate(runs, ["learned", "final", "kept"]);

/**
 * The rate at which an arm's mean outcome `learned` on the seeds of the tuning is largest; of equals, the smallest.
 *
 * @throws {RangeError} if the arm was not tuned in that world
 */
export const tunedNetworkRate = (
  tuning: readonly TunedNetwork[],
  world: NetworkWorldName,
  arm: NetworkArmName,
): number => bestRate(tuning, { world, arm, outcome: "learned" });

/** The plan as `NETWORKS.md` lists it. */
export const preregisteredNetworks = (): string =>
  preregistered({
    seeds: networkSeeds,
    rates: networkRates,
    worlds: networkWorlds,
    armsIn: networkArmsIn,
    questions: networkQuestions,
  });
