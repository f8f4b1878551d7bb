import { clear, found, type Finding } from "../contract";

export const highTemperature: Finding = {
  title: "Rollouts are sampled at a high temperature",
  severity: "warning",
  confidence: "likely",
  why: "Above about 1.2 a language model's rare tokens add up to garbage, which then is what is trained on; where the trainer's log-probs are not divided by the temperature, every ratio is wrong besides.",
  source: "Skywork-OR1, arXiv 2505.22312, section 4; volcengine/verl#2738",
  lesson: "04-echo-trap",
  check: (s) => {
    if (s.number("temperature") <= 1.2) return clear;
    return found(s.shown("temperature"), [{ setting: "temperature", value: 1 }]);
  },
};
