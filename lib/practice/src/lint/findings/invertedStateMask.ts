import { clear, found, inapplicable, type Finding } from "../contract";

export const invertedStateMask: Finding = {
  title: "The mask of states may be inverted",
  severity: "error",
  confidence: "possible",
  why: "RAGEN before 23 April 2025 let the gradient through on the tokens of states and stopped it on those of actions: the policy learned to write what its environment says.",
  source: "mll-lab-nu/RAGEN#62 and #71",
  lesson: "06-agentic-pomdp",
  check: (s) => {
    if (s.parts.dialect !== "ragen-2025-03") return inapplicable("it is RAGEN's of before May 2025");
    if (!s.isOn("maskTools")) return clear;
    return found(s.shown("maskTools"), [], {
      advice: "update RAGEN, and print one batch with its mask: tokens of states must be 0 in it",
    });
  },
};
