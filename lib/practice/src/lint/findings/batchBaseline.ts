import { clear, found, inapplicable, type Finding } from "../contract";

export const batchBaseline: Finding = {
  title: "The baseline is the batch's mean, not the task's",
  severity: "note",
  confidence: "certain",
  why: "REINFORCE and REINFORCE++ compare a rollout with the whole batch. That is a published rule and may stay; where tasks differ in difficulty, a baseline of the task's own rollouts has less noise.",
  source: "REINFORCE++, arXiv 2501.03262, section 3",
  lesson: "01-grpo-from-scratch",
  check: (s) => {
    const { advantage } = s.rule;
    if (advantage.kind !== "returnToGo" && advantage.kind !== "return") {
      return inapplicable("its baseline is not the batch's mean");
    }
    if (s.number("groupSize") < 2) return clear;
    return found(
      `${s.shown("groupSize")}, and estimator ${s.text("estimator")} compares with the whole batch`,
      [{ setting: "estimator", value: s.trainer === "openrlhf" ? "reinforce_baseline" : "rloo" }],
    );
  },
};
