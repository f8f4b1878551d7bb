import { clear, found, type Finding } from "../contract";

export const noGradientClip: Finding = {
  title: "Gradients are not clipped",
  severity: "warning",
  confidence: "likely",
  why: "One batch with extreme ratios then moves the policy as far as a hundred others; with clipping it counts once.",
  source: "PPO's released code and every recipe since; Andrychowicz et al., arXiv 2006.05990, section 3.4",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const norm = s.numberOrNull("maxGradNorm");
    if (norm !== null && norm > 0 && norm <= 10) return clear;
    return found(s.shown("maxGradNorm"), [{ setting: "maxGradNorm", value: 1 }]);
  },
};
