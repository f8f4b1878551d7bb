import { clear, found, type Finding } from "../contract";

export const lowTemperature: Finding = {
  title: "Rollouts are sampled at a low temperature",
  severity: "warning",
  confidence: "likely",
  why: "The group's answers become alike, so that their rewards are equal and no gradient is left, and entropy falls sooner.",
  source: "DAPO, arXiv 2503.14476 (temperature 1); Skywork-OR1, arXiv 2505.22312, section 4",
  lesson: "04-echo-trap",
  check: (s) => {
    if (s.number("temperature") > 0.7) return clear;
    return found(s.shown("temperature"), [{ setting: "temperature", value: 1 }]);
  },
};
