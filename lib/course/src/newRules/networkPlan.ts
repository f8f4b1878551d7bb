import { mean } from "turnwise/internal/base/statistics";
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
import { smallestRuleEffect } from "./questions";

/** The plan of a sweep over the arms of one world. */
export interface NetworkPlan {
  readonly task: SweepTask;
  readonly grid: { readonly cell: readonly (NetworkJob["cell"] & { readonly name: string })[] };
  readonly seeds: readonly number[];
  readonly metric: "learned";
}

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
export function tunedNetworks(runs: readonly NetworkRun[]): TunedNetwork[] {
  const groups = new Map<string, NetworkRun[]>();
  for (const run of runs) {
    const key = [run.world, run.arm, run.rate].join("|");
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const { world, arm, rate } = group[0]!;
    const of = (name: "learned" | "final" | "kept"): number => mean(group.map((run) => run[name]));
    return {
      world,
      arm,
      rate,
      seeds: group.length,
      learned: of("learned"),
      final: of("final"),
      kept: of("kept"),
    };
  });
}

/**
 * The rate at which an arm's mean outcome `learned` on the seeds of the tuning is largest; of equals, the smallest.
 *
 * @throws {RangeError} if the arm was not tuned in that world
 */
export function tunedNetworkRate(
  tuning: readonly TunedNetwork[],
  world: NetworkWorldName,
  arm: NetworkArmName,
): number {
  const own = tuning
    .filter((point) => point.world === world && point.arm === arm)
    .sort((a, b) => a.rate - b.rate);
  const [first] = own;
  if (first === undefined) {
    throw new RangeError(
      `Cannot choose a learning rate: "${arm}" must have been tuned in ${world}, got no run.`,
    );
  }
  return own.reduce((best, point) => (point.learned > best.learned ? point : best), first).rate;
}

const span = (values: readonly number[]): string => `${values[0]} to ${values.at(-1)}`;

/** The plan as `NETWORKS.md` lists it; a test compares the two, so that neither changes without the other. */
export function preregisteredNetworks(): string {
  const { study, confirmFrom, tuning } = networkSeeds;
  const worlds = (Object.keys(networkWorlds) as NetworkWorldName[]).map(
    (world) =>
      `| ${world} | ${networkWorlds[world].title} | ${networkWorlds[world].updates} | ${networkArmsIn(world).join("; ")} |`,
  );
  const questions = networkQuestions.map(
    (one) =>
      `| \`${one.rule}\` | ${one.claim} | ${one.own} | ${one.other} | ${one.outcome} | ${one.claims ?? "gain"} | ${one.worlds.join(", ")} |`,
  );
  return [
    `- Seeds of the study: ${span(study)}. Those below ${confirmFrom} find, those from ${confirmFrom} on confirm.`,
    `- Seeds of the tuning: ${span(tuning)}, at the rates ${networkRates.join(", ")} of Adam.`,
    `- Smallest effect of interest: ${smallestRuleEffect}, for every question.`,
    "",
    "| world | title | updates | arms |",
    "| --- | --- | --- | --- |",
    ...worlds,
    "",
    "| rule | claim | arm | compared with | outcome | claimed | worlds |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...questions,
  ].join("\n");
}
