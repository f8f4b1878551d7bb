import { clear, found, type Finding } from "../contract";

export const klTwice: Finding = {
  title: "A KL to the reference is charged twice",
  severity: "warning",
  confidence: "certain",
  why: "The penalty in the reward and the one in the loss pull the same way, so the policy is held by their sum; tuning one of them alone seems to do little.",
  source:
    "OpenRLHF/OpenRLHF#768; DeepSeekMath, arXiv 2402.03300, section 4.1 (the loss instead of the reward)",
  lesson: "10-language-model",
  check: (s) => {
    const { reward, regularizer } = s.rule;
    const loss = regularizer.klReference;
    if (reward.kl === null || loss === null) return clear;
    return found(
      `coefficient ${reward.kl.coef} in the reward and ${loss.coef} in the loss`,
      s.either([{ setting: "klInReward", value: false }]),
    );
  },
};
