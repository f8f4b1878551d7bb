import type { Claim } from "turnwise/internal/plot/ledger";
import { exactly } from "turnwise/internal/verdict/effect";
import { verdict } from "turnwise/internal/verdict/verdict";
import { agenticPomdpEffects as smallest } from "./effects";
import type { FixedPlan } from "./fixedPlan";

/** Claim about the worlds in which looking is worth something, solved exactly. */
export function fixedPlanClaim(plans: readonly FixedPlan[]): Claim {
  return {
    claim: "A fixed plan gets less than an agent that looks",
    source: "this notebook",
    measured: `a plan's score, from random (0) to best (1): ${plans.map(({ world, score }) => `${world} ${score.toFixed(2)}`).join(", ")}`,
    verdict: verdict({
      conditions: plans.map(({ world, score }) => ({ setting: { world }, effect: exactly(1 - score) })),
      smallestEffectOfInterest: smallest.exactReturn,
    }),
  };
}
