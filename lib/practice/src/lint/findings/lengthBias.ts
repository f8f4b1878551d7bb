import { clear, found, inapplicable, type Finding } from "../contract";

export const lengthBias: Finding = {
  title: "A mean over each answer's tokens favors long failures",
  severity: "warning",
  confidence: "likely",
  why: "Divided by its own length, a long wrong answer is punished less for each token than a short one, so that wrong answers grow.",
  source: "Dr. GRPO, arXiv 2503.20783, section 3.1",
  lesson: "10-language-model",
  check: (s) => {
    const { aggregate, ratio } = s.rule;
    if (aggregate.kind !== "sequenceMeanTokenMean") return clear;
    if (ratio.level === "trajectory")
      return inapplicable("with one ratio a trajectory its tokens share one weight");
    const word = {
      verl: "token-mean",
      skyrl: "token_mean",
      trl: "dr_grpo",
      openrlhf: "token-mean",
      "prime-rl": null,
    }[s.trainer];
    return found(
      s.has("aggregate") ? s.shown("aggregate") : aggregate.kind,
      word === null ? [] : [{ setting: "aggregate", value: word }],
    );
  },
};
