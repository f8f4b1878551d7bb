import { short } from "turnwise/internal/base/curve";
import { hasStayedFlat } from "../../report/learned";
import { valuesOf } from "../../report/klSign";
import { lintInWords, lintOf, type CauseKind } from "./contract";

/** A policy that is never farther from its start than this has hardly moved; nats per token. */
const NEAR = 1e-3;
const FEWEST = 30;

export const stepsTooSmall: CauseKind = {
  title: "updates are too small to move the policy",
  section: "reward-stays-flat",
  lesson: "10-language-model",
  basis:
    "threads: 1 of 77, with its setting (62 where nothing was learned, 10 more where the KL shows that the policy has not moved; 18 for the setting alone); the KL alone is what a small step and a short run have, too (46)",
  look: (view) => {
    const { run } = view;
    // Without any gradient no step size moves anything.
    if (run?.constants.get("policy/gradNorm") === 0) return undefined;
    const config = lintOf(view, "low-learning-rate", "loss-needs-steps");
    const isFlat = run !== undefined && hasStayedFlat(run.records);
    const kl = valuesOf(run?.records ?? [], "policy/klReference");
    const most = Math.max(...kl.map(Math.abs));
    // A KL of exactly 0 is one that is not computed, or of weights that no gradient reaches.
    const stays = isFlat && kl.length >= FEWEST && most < NEAR && most > 0;
    if (config.length === 0 && !stays) return undefined;
    return {
      evidence: [
        ...config.map(lintInWords),
        ...(stays
          ? [
              `the KL to the reference is at most ${short(most)} in ${kl.length} steps: the policy is nearly where it began`,
            ]
          : []),
        ...(isFlat ? ["success is where it began, too"] : []),
      ],
      weight: config.length === 0 ? 46 : (isFlat ? 62 : 18) + (stays ? 10 : 0),
      change: config[0]?.change ?? [],
      advice:
        config[0]?.advice ??
        "raise the step size by a factor of 3 to 10 until the KL to the reference leaves 0 within some fifty steps",
    };
  },
};
