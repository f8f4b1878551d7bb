import { clear, found, inapplicable, type Finding } from "../contract";

export const shortAnswers: Finding = {
  title: "The limit of answers is the trainer's short default",
  severity: "warning",
  confidence: "likely",
  why: "The default cuts what a model that reasons or calls tools writes. Cut answers earn nothing, and the log shows a clipped share near 1.",
  source: "the trainers' own defaults; modelscope/ms-swift#3579, PrimeIntellect-ai/prime-rl#1559",
  lesson: "10-language-model",
  check: (s) => {
    if (s.parts.dialect === "trl-ppo") return inapplicable("its examples write short texts");
    const limit = s.number("maxResponse");
    if (limit > 512) return clear;
    if (s.gives("maxResponse")) {
      return limit < 128
        ? found(s.shown("maxResponse"), [{ setting: "maxResponse", value: 2048 }], { confidence: "possible" })
        : clear;
    }
    return found(s.shown("maxResponse"), [{ setting: "maxResponse", value: 2048 }]);
  },
};
