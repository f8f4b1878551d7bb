import { clear, found, inapplicable, type Finding } from "../contract";

export const lossNeedsSteps: Finding = {
  title: "A loss that learns from several steps on each batch gets one",
  severity: "warning",
  confidence: "likely",
  why: "Tinker's dro pulls log-ratios to advantages by their square. In the only step on a batch all log-ratios are 0, and the policy hardly moves: with one substep it failed on tasks that it solves with four.",
  source: "thinking-machines-lab/tinker-cookbook#600",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.parts.dialect !== "tinker") return inapplicable("a loss of Tinker's");
    if (!/^dro$/i.test(s.text("ratioLevel") ?? "")) return clear;
    if (s.number("minibatch") < s.number("batch")) return clear;
    return found(`${s.shown("ratioLevel")} with one step on each batch`, [], {
      advice: "set num_substeps=4, or loss_fn=importance_sampling",
    });
  },
};
