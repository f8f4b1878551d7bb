import { clear, found, unknown, type Finding } from "../contract";

export const stdOfSmallCosts: Finding = {
  title: "Division by a group's std makes small costs large",
  severity: "warning",
  confidence: "possible",
  why: "Where all answers to a task are right, or all wrong, a length penalty or a KL charge is all that differs: divided by its own std, it becomes an advantage as large as that of the task itself.",
  source: "Dr. GRPO, arXiv 2503.20783, section 3.1",
  lesson: "07-reward-signal",
  check: (s) => {
    const { scale, reward } = s.rule;
    if (scale.kind !== "group") return clear;
    const costs = [
      ...(reward.kl === null ? [] : ["a KL in the reward"]),
      ...(reward.overlong === null ? [] : ["a penalty for long answers"]),
      ...(s.has("rewardWeights") && s.isOn("rewardWeights")
        ? [`several rewards, ${s.shown("rewardWeights")}`]
        : []),
    ];
    if (costs.length === 0) {
      return unknown(
        "rewards are divided by the group's std; whether they hold small costs, only the reward function says",
      );
    }
    return found(
      `rewards are divided by the group's std, and ${costs.join(" and ")} ${costs.length > 1 ? "are" : "is"} in them`,
      s.trainer === "trl"
        ? [{ setting: "scale", value: "none" }]
        : s.either([{ setting: "scale", value: false }]),
      s.trainer === "openrlhf" ? { advice: "--algo.advantage.estimator dr_grpo" } : {},
    );
  },
};
