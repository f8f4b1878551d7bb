import { clear, found, type Change, type Finding } from "../contract";

export const noAnchor: Finding = {
  title: "Nothing holds the policy to where it began",
  severity: "note",
  confidence: "possible",
  why: "Without a KL to the reference nothing pulls the policy back once the reward has gone quiet. Many good runs do without it; one whose entropy or reference KL climbs is the one that needs it.",
  source:
    "DAPO, arXiv 2503.14476, section 2.3 (which leaves it out); ProRL, arXiv 2505.24864 (which needs it)",
  lesson: "04-echo-trap",
  check: (s) => {
    const { reward, regularizer } = s.rule;
    if ((regularizer.klReference?.coef ?? 0) + (reward.kl?.coef ?? 0) > 0) return clear;
    const coef = { setting: "klLossCoef", value: 0.001 } as const;
    const change = s.either([{ setting: "klInLoss", value: true }, coef], [coef]);
    // Its own estimate, k1, has no gradient in the loss.
    const estimator: readonly Change[] =
      s.trainer === "openrlhf" ? [{ setting: "klLossEstimator", value: "k2" }] : [];
    return found("no KL to a reference, neither in the reward nor in the loss", [...change, ...estimator]);
  },
};
