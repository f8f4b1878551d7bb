import { clear, found, unknown, type Finding } from "../contract";
import { correct } from "./corrections";

export const quantizedRollouts: Finding = {
  title: "Rollouts are sampled with quantized weights",
  severity: "warning",
  confidence: "likely",
  why: "fp8 or int8 weights in the engine widen the gap to the trainer's log-probs by an order of magnitude.",
  source:
    "Yao et al., On the rollout-training mismatch in modern RL systems, 2025; verl, docs on rollout correction",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (!s.has("quantization")) return unknown(`${s.title} hands this on to its engine`);
    if (!s.isOn("quantization")) return clear;
    if (s.rule.correction.kind !== "none") return clear;
    return found(`${s.shown("quantization")}, and no correction`, correct(s));
  },
};
