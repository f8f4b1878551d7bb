import { clear, found, inapplicable, type Finding } from "../contract";

export const smallGroup: Finding = {
  title: "Groups of two or three are divided by their own std",
  severity: "warning",
  confidence: "likely",
  why: "In a group of two that differ, the advantages are +1 and -1 whatever the rewards were; of three there are hardly more. The size of the reward is lost and the noise is the largest.",
  source: "Dr. GRPO, arXiv 2503.20783; RLOO, arXiv 2402.14740",
  lesson: "01-grpo-from-scratch",
  check: (s) => {
    const { scale } = s.rule;
    if (scale.kind !== "group") return inapplicable("nothing is divided by a group's std");
    const size = s.number("groupSize");
    if (size < 2 || size > 3) return clear;
    return found(s.shown("groupSize"), [{ setting: "groupSize", value: 8 }]);
  },
};
