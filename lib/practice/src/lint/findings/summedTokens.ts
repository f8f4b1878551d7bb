import { clear, found, inapplicable, type Finding } from "../contract";

export const summedTokens: Finding = {
  title: "Answers count by the sum of their tokens",
  severity: "note",
  confidence: "likely",
  why: "The loss of an answer grows with its length, and so does the gradient: a step size that was right at 500 tokens is eight times too large at 4000.",
  source: "Dr. GRPO, arXiv 2503.20783, section 3.2 (which divides by a constant length)",
  lesson: "10-language-model",
  check: (s) => {
    const { aggregate, ratio } = s.rule;
    if (aggregate.kind !== "constant" || aggregate.length !== 1) return clear;
    if (ratio.level === "trajectory") return inapplicable("with one ratio a trajectory it counts once");
    const word = {
      verl: "seq-mean-token-sum-norm",
      skyrl: "seq_mean_token_sum_norm",
      trl: "dr_grpo",
      openrlhf: null,
      "prime-rl": null,
    }[s.trainer];
    return found(s.shown("aggregate"), word === null ? [] : [{ setting: "aggregate", value: word }]);
  },
};
