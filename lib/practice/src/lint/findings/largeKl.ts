import { clear, found, type Finding } from "../contract";

export const largeKl: Finding = {
  title: "The KL penalty is large",
  severity: "warning",
  confidence: "likely",
  why: "From about .1 on the penalty outweighs a reward of 0 and 1: the policy stays where it began, and success is flat.",
  source: "DeepSeekMath, arXiv 2402.03300 (.04); verl's and TRL's defaults (.001, 0); huggingface/trl#3015",
  lesson: "10-language-model",
  check: (s) => {
    const { reward, regularizer } = s.rule;
    const coef = (regularizer.klReference?.coef ?? 0) + (reward.kl?.coef ?? 0);
    if (coef < 0.1) return clear;
    return found(
      `a KL to the reference is charged ${coef} times`,
      s.either(
        [
          ...(regularizer.klReference !== null ? [{ setting: "klLossCoef", value: 0.001 } as const] : []),
          ...(reward.kl !== null ? [{ setting: "klRewardCoef", value: 0.001 } as const] : []),
        ],
        [{ setting: "klLossCoef", value: 0.001 }],
      ),
    );
  },
};
