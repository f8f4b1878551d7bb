import { clear, found, inapplicable, type Finding } from "../contract";
import { isAdapter } from "./adapter";

/** An adapter hardly moves below the first, and all weights hardly do below the second. */
const OF_ADAPTER = 2e-6;
const OF_ALL = 5e-8;

export const lowLearningRate: Finding = {
  title: "The step size is too low to move the policy",
  severity: "warning",
  confidence: "likely",
  why: "An adapter takes about ten times the step size of all weights: at 1e-6 and below it hardly leaves its start in thousands of steps, and the reward only wavers.",
  source: "Schulman et al., LoRA without regret, 2025; huggingface/trl#2872, huggingface/trl#4207",
  lesson: "10-language-model",
  check: (s) => {
    const rate = s.number("learningRate");
    // That 0 moves nothing is a choice, or a test.
    if (rate <= 0) return inapplicable("the learning rate is 0");
    const adapter = isAdapter(s);
    if (rate >= (adapter ? OF_ADAPTER : OF_ALL)) return clear;
    return found(`${s.shown("learningRate")}${adapter ? " with an adapter" : ""}`, [
      { setting: "learningRate", value: adapter ? 1e-5 : 1e-6 },
    ]);
  },
};
