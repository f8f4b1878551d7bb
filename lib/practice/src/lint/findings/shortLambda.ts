import { clear, found, inapplicable, type Finding } from "../contract";

export const shortLambda: Finding = {
  title: "GAE looks ahead a few tokens only",
  severity: "warning",
  confidence: "likely",
  why: "With lambda .95 a reward reaches back some 20 tokens; before that the critic alone counts, which at first knows nothing.",
  source: "VC-PPO, arXiv 2503.01491, section 3",
  lesson: "08-step-credit",
  check: (s) => {
    const { advantage } = s.rule;
    if (advantage.kind !== "gae") return inapplicable("there is no critic");
    if (advantage.lambda >= 0.99) return clear;
    return found(`lambda ${advantage.lambda} for each token`, [{ setting: "lambda", value: 1 }]);
  },
};
