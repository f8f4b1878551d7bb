import { clear, found, inapplicable, type Finding } from "../contract";

export const coldCritic: Finding = {
  title: "The critic is not trained before the policy",
  severity: "note",
  confidence: "possible",
  why: "A new critic's values are noise. The first updates follow that noise, and answers shorten before anything is learned.",
  source: "VC-PPO, arXiv 2503.01491, section 3.1 (value pretraining)",
  lesson: "08-step-credit",
  check: (s) => {
    if (s.rule.advantage.kind !== "gae") return inapplicable("there is no critic");
    if (s.number("criticWarmUp") > 0) return clear;
    return found(s.shown("criticWarmUp"), [{ setting: "criticWarmUp", value: 20 }]);
  },
};
