import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/ledger";
import { storedTable } from "../shared/storedTable";
import { decidedClaims } from "./decidedClaims";
import {
  networkQuestions,
  type NetworkArmName,
  type NetworkQuestion,
  type NetworkWorldName,
} from "./networkDesign";
import type { NetworkRun } from "./networkRun";

/** The runs of `network-rules.csv`. */
export const storedNetworkRuns = (csv: string): NetworkRun[] => storedTable(csv) as unknown as NetworkRun[];

/** The claims of rules that need a network, decided. */
export function networkClaims(runs: readonly NetworkRun[]): Claim[] {
  const of = (world: NetworkWorldName, arm: NetworkArmName): NetworkRun[] =>
    runs.filter((run) => run.world === world && run.arm === arm);
  return decidedClaims(networkQuestions, {
    values: ({ outcome }, world: NetworkWorldName, arm: NetworkArmName) =>
      of(world, arm).map((run) => ({ seed: run.seed, value: run[outcome] })),
    measured: (one) => measuredText(of, one),
  });
}

const titles = {
  learned: "mean score over the run",
  kept: "probability of a demonstration's turn",
} as const;

/** "mean score over the run: facts .85 (rate .004, 3840 episodes, 240 optimizer steps) against .94 (...)". */
function measuredText(
  of: (world: NetworkWorldName, arm: NetworkArmName) => NetworkRun[],
  { own, other, outcome, worlds }: NetworkQuestion,
): string {
  const arm = (world: NetworkWorldName, name: NetworkArmName): string => {
    const runs = of(world, name);
    const value = mean(runs.map((run) => run[outcome])).toFixed(3);
    const [first] = runs;
    return `${value} (rate ${first?.rate}, ${first?.samples} episodes, ${first?.optimizerSteps} optimizer steps)`;
  };
  const each = worlds.map((world) => `${world} ${arm(world, own)} against ${arm(world, other)}`);
  return `${titles[outcome]}: ${each.join("; ")}`;
}
