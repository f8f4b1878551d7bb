import { clear, found, inapplicable, type Finding } from "../contract";

/** Advantages whose baseline is of a group. */
const grouped = [
  "mean",
  "leaveOneOut",
  "perTurn",
  "perPosition",
  "gigpo",
  "hgpo",
  "lengthWeighted",
  "components",
  "bestOfGroup",
];

export const groupOfOne: Finding = {
  title: "Groups of one have nothing to compare",
  severity: "error",
  confidence: "certain",
  why: "A group baseline is the mean of the other rewards for the same task. With one rollout there is none: the advantage is 0, or the bare reward, whatever was done.",
  source:
    "DeepSeekMath, arXiv 2402.03300, section 4.1; verl, trainer/ppo/core_algos.py (compute_grpo_outcome_advantage)",
  lesson: "01-grpo-from-scratch",
  check: (s) => {
    const { advantage } = s.rule;
    if (!grouped.includes(advantage.kind)) return inapplicable("its advantage has no groups");
    if (s.number("groupSize") > 1) return clear;
    return found(`the advantage is relative to a group, and ${s.shown("groupSize")}`, [
      { setting: "groupSize", value: 8 },
    ]);
  },
};
