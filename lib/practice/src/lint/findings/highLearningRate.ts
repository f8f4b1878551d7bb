import { clear, found, type Finding } from "../contract";
import { isAdapter } from "./adapter";

export const highLearningRate: Finding = {
  title: "The step size is high for training all weights",
  severity: "warning",
  confidence: "likely",
  why: "Policy gradients are noisy; with all weights trained, runs at 1e-5 and above leave the language within a few hundred steps. LoRA takes ten times as much.",
  source:
    "DAPO, arXiv 2503.14476 and DeepSeekMath, arXiv 2402.03300 (1e-6); Schulman et al., LoRA without regret, 2025",
  lesson: "10-language-model",
  check: (s) => {
    const rate = s.number("learningRate");
    if (rate < 1e-5) return clear;
    if (isAdapter(s))
      return rate < 1e-3
        ? clear
        : found(`${s.shown("learningRate")} with LoRA`, [{ setting: "learningRate", value: 1e-5 }]);
    return found(s.shown("learningRate"), [{ setting: "learningRate", value: 1e-6 }], {
      confidence: rate >= 5e-5 ? "likely" : "possible",
      advice: "unless an adapter is trained: the configuration names none",
    });
  },
};
