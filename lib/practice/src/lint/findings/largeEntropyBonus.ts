import { clear, found, inapplicable, type Finding } from "../contract";

export const largeEntropyBonus: Finding = {
  title: "The entropy bonus is large for a vocabulary of a language model",
  severity: "warning",
  confidence: "likely",
  why: "Over 100k tokens most of the entropy is in words that make no sense. A bonus of .01 can outweigh a reward that has gone quiet: entropy rises, answers become garbage, and success falls.",
  source:
    "Cui et al., The entropy mechanism, arXiv 2505.22617; Skywork-OR1, arXiv 2505.22312, section 4; volcengine/verl#2738",
  lesson: "04-echo-trap",
  check: (s) => {
    const coef = s.rule.regularizer.entropyCoef;
    if (s.rule.regularizer.entropyTarget !== null) return inapplicable("its coefficient follows a target");
    if (coef < 0.005) return clear;
    return found(
      `an entropy bonus of ${coef}`,
      s.trainer === "skyrl"
        ? [{ setting: "entropyCoef", value: 0 }]
        : s.either([{ setting: "entropyCoef", value: 0 }]),
    );
  },
};
