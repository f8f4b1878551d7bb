import { found, inapplicable, unknown, type Finding } from "../contract";

export const mixedPrompts: Finding = {
  title: "Groups that mix prompts",
  severity: "error",
  confidence: "likely",
  why: "A baseline over rollouts of different tasks rewards easy tasks and punishes hard ones, whatever was done in them.",
  source: "microsoft/agent-lightning#489; PeterGriffinJin/Search-R1#88",
  lesson: "01-grpo-from-scratch",
  check: (s) => {
    const { advantage } = s.rule;
    if (advantage.kind === "returnToGo" || advantage.kind === "return") {
      if (s.number("groupSize") < 2) return inapplicable("its advantage has no groups");
      return found(
        `${s.shown("groupSize")}, and estimator ${s.text("estimator")} compares with the whole batch, not with the group`,
        s.trainer === "openrlhf"
          ? [{ setting: "estimator", value: "reinforce_baseline" }]
          : [{ setting: "estimator", value: "rloo" }],
        { confidence: "possible" },
      );
    }
    if (advantage.kind === "gae" || advantage.kind === "biLevelGae")
      return inapplicable("its advantage has no groups");
    return unknown("which rollouts form a group is decided by their ids: see the census of the rollouts");
  },
};
