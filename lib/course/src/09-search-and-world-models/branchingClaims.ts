import { mean } from "turnwise/internal/base/statistics";
import type { Claim } from "turnwise/internal/plot/index";
import { inBothHalves } from "../shared/inBothHalves";
import { effectText } from "turnwise/internal/verdict/effectText";
import type { StoredRecord } from "../shared/storedTable";
import { gain } from "turnwise/internal/verdict/effect";
import { verdicts } from "turnwise/internal/verdict/verdict";
import {
  branchedWorlds,
  branchingArms,
  type BranchedWorldName,
  type BranchingArm,
  type BranchingResult,
} from "./branchingRun";
import { seeded } from "./worldModelClaims";
import { branchingEffects as smallest } from "./worldModelEffects";

const worlds = Object.keys(branchedWorlds) as BranchedWorldName[];
const [plain, ...branched] = Object.keys(branchingArms) as [BranchingArm, ...BranchingArm[]];

/** Whether episodes that share their beginnings give a better gradient for as many environment steps. */
export function branchingClaims(stored: readonly StoredRecord[]): Claim[] {
  const own = (world: BranchedWorldName, arm: BranchingArm, column: keyof BranchingResult) =>
    seeded(stored, { world, arm }, column);
  const over = (column: keyof BranchingResult, sign: 1 | -1) =>
    worlds.flatMap((world) =>
      branched.map((arm) => {
        const [better, worse] = sign === 1 ? [arm, plain] : [plain, arm];
        const effect = inBothHalves(own(world, better, column), own(world, worse, column), (a, b) =>
          gain(a, b, { paired: true }),
        );
        return { setting: { world, rule: arm }, effect };
      }),
    );
  const noise = over("logNoise", -1);
  const direction = over("cosine", 1);
  const bend = over("expectedCosine", 1);
  const decided = verdicts({
    noise: { conditions: noise, smallestEffectOfInterest: smallest.logVariance },
    direction: { conditions: direction, smallestEffectOfInterest: smallest.cosine },
    bend: { conditions: bend, claims: "no loss", smallestEffectOfInterest: smallest.cosine },
  });
  const text = (conditions: typeof noise): string =>
    worlds
      .map((world) => {
        const there = conditions.filter(({ setting }) => setting.world === world);
        const each = there.map(({ setting, effect }) => `${setting.rule} ${effectText(effect, 2)}`);
        return `${world}: ${each.join(", ")}`;
      })
      .join("; ");
  const shared = worlds
    .map((world) => {
      const groups = (arm: BranchingArm): number => mean(own(world, arm, "groups").map(({ value }) => value));
      return `${world} ${branched.map((arm) => (groups(arm) / groups(plain)).toFixed(2)).join(", ")}`;
    })
    .join("; ");
  const source = "on Tree-GRPO, arXiv 2509.21240, and ARPO, arXiv 2507.19849";
  return [
    {
      claim: "Branches make a step less noisy for as many environment steps",
      source,
      measured: `40 half-trained policies, 200 batches each; log of the variance by squared length, less than GRPO's by: ${text(noise)}; groups for the same steps, by GRPO's: ${shared}`,
      verdict: decided.noise,
    },
    {
      claim: "With branches, a batch points more in the direction of the exact gradient",
      source: "this notebook",
      measured: `cosine of one batch's step with it, gained on GRPO: ${text(direction)}`,
      verdict: decided.direction,
    },
    {
      claim: "Branches do not bend the expected step",
      source: "this notebook",
      measured: `cosine of the expected step with the exact gradient, gained on GRPO: ${text(bend)}`,
      verdict: decided.bend,
    },
  ];
}
