import { clear, found, inapplicable, type Finding } from "../contract";

export const tokenDiscount: Finding = {
  title: "Tokens are discounted",
  severity: "warning",
  confidence: "likely",
  why: "A discount for each token leaves nothing of a reward a thousand tokens later: .99 to the 1000 is 4e-5. The beginning of an answer, where it is decided, learns nothing.",
  source: "VC-PPO, arXiv 2503.01491; VAPO, arXiv 2504.05118",
  lesson: "08-step-credit",
  check: (s) => {
    const { advantage } = s.rule;
    if (advantage.kind !== "gae" && advantage.kind !== "returnToGo")
      return inapplicable("its advantage has no discount by tokens");
    if (advantage.gamma >= 0.9999) return clear;
    return found(`gamma ${advantage.gamma} for each token`, [{ setting: "gamma", value: 1 }]);
  },
};
