import { clear, found, inapplicable, type Finding } from "../contract";

export const bf16Weights: Finding = {
  title: "Weights are kept in bf16",
  severity: "warning",
  confidence: "possible",
  why: "bf16 has 8 bits: a step of 1e-6 on a weight of .01 is lost in rounding. Most weights then do not move, and those that do move in jumps.",
  source: "Zamirai et al., arXiv 2010.06192; Qi et al., arXiv 2510.26788",
  lesson: "10-language-model",
  check: (s) => {
    const type = s.text("weightsType");
    if (type === null || !/bf(loat)?16/i.test(type)) return clear;
    if (s.has("loraRank") && s.gives("loraRank") && s.isOn("loraRank"))
      return inapplicable("an adapter is trained, not these weights");
    return found(s.shown("weightsType"), [
      { setting: "weightsType", value: s.trainer === "verl" ? "fp32" : "float32" },
    ]);
  },
};
