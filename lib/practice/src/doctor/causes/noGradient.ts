import { meanOf, type CauseKind } from "./contract";

export const noGradient: CauseKind = {
  title: "no gradient reaches the weights",
  section: "loss-is-zero",
  lesson: "01-grpo-from-scratch",
  basis:
    "arithmetic: a gradient of 0 at every step moves nothing (85); 72 where the log does not show that rewards differ within groups",
  look: (view) => {
    const { run } = view;
    if (run?.constants.get("policy/gradNorm") !== 0) return undefined;
    const spread = meanOf(view, "reward/std");
    const equal = meanOf(view, "reward/fracZeroStd");
    if (spread === 0 || (equal !== undefined && equal > 0.95)) return undefined;
    const isKnown = spread !== undefined || equal !== undefined;
    // A batch of groups that agree among themselves has a mean that moves, too, but hardly at every step.
    if (!isKnown && (run.constants.has("reward/mean") || run.constants.has("success/mean"))) return undefined;
    return {
      evidence: [
        "the gradient norm is 0 at every step",
        isKnown
          ? `rewards within groups differ (${spread === undefined ? `${Math.round(100 * (1 - equal!))}% of groups do` : `their spread is ${spread.toFixed(2)} on average`}), so that advantages are not 0`
          : "the mean reward moves from step to step, although the log does not show the spread within groups",
      ],
      weight: isKnown ? 85 : 72,
      change: [],
      advice:
        "check that some weights require a gradient: LoRA with gradient checkpointing needs enable_input_require_grads(), a mask that leaves out every cut answer can leave no token, and some combinations of ZeRO and vLLM report 0",
    };
  },
};
