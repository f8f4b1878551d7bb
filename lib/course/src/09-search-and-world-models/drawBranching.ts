import { exp } from "turnwise/internal/base/elementary/exp";
import { bootstrapInterval } from "turnwise/internal/base/interval";
import type { Chart } from "turnwise/internal/plot/chart";
import { estimateChart } from "turnwise/internal/plot/estimateChart";
import type { StoredRecord } from "../shared/storedTable";
import { branchedWorlds, branchingArms, type BranchedWorldName, type BranchingArm } from "./branchingRun";
import { seeded } from "./worldModelClaims";

/**
 * Chart of how many times the environment steps of GRPO a rule with branches needs for the same noise: rows of
 * `datasets/measured/branching.csv`.
 *
 * ```
 * exp(log noise - log noise of GRPO),   policy by policy
 * ```
 * @throws {RangeError} if there is no such row
 */
export function drawBranching(stored: readonly StoredRecord[]): Chart {
  const worlds = Object.keys(branchedWorlds) as BranchedWorldName[];
  const [plain, ...branched] = Object.keys(branchingArms) as [BranchingArm, ...BranchingArm[]];
  const estimates = worlds.flatMap((world) => {
    const noise = (arm: BranchingArm): ReadonlyMap<number, number> =>
      new Map(seeded(stored, { world, arm }, "logNoise").map(({ seed, value }) => [seed, value]));
    const without = noise(plain);
    return branched.map((arm) => {
      const runs = [...noise(arm)].map(([seed, value]) => exp(value - without.get(seed)!));
      return { group: world, label: arm, runs, ...bootstrapInterval(runs) };
    });
  });
  const [low, high] = [
    estimates.reduce((a, b) => (b.mean < a.mean ? b : a)),
    estimates.reduce((a, b) => (b.mean > a.mean ? b : a)),
  ];
  return estimateChart(estimates, {
    title: `Branches need ${low.mean.toFixed(2)} times the steps in ${low.group}, ${high.mean.toFixed(2)} in ${high.group}`,
    subtitle: "for the same noise as GRPO; below 1: fewer; dots: 40 policies",
    xTitle: "environment steps for the same noise, GRPO = 1",
  });
}
