import { clear, found, inapplicable, unknown, type Finding } from "../contract";

export const rewardStopsAtTools: Finding = {
  title: "The reward does not reach the turns before a tool's answer",
  severity: "error",
  confidence: "likely",
  why: "verl's REINFORCE++ sums rewards from the last token backward, and starts over where the response mask is 0. That is right for padding; in an answer of several turns the tokens of tools have that mask, too, and what came before them gets no reward.",
  source: "volcengine/verl#7278, volcengine/verl#6376 (fixed in August 2026)",
  lesson: "08-step-credit",
  check: (s) => {
    if (s.trainer !== "verl" || s.parts.dialect === "slime" || s.parts.dialect === "miles")
      return inapplicable("it is a mistake of verl's");
    if (s.rule.advantage.kind !== "returnToGo") return clear;
    if (!s.canSet("multiTurn"))
      return unknown("whether answers have several turns is not in the configuration");
    if (!s.isOn("multiTurn")) return inapplicable("answers have one turn");
    return found(
      `${s.shown("estimator")} and ${s.shown("multiTurn")}`,
      [{ setting: "estimator", value: "rloo" }],
      {
        advice: "or take a release in which returns pass over masked tokens",
      },
    );
  },
};
