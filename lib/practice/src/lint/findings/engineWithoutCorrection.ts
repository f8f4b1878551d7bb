import { clear, found, inapplicable, unknown, type Finding } from "../contract";
import { correct } from "./corrections";

export const engineWithoutCorrection: Finding = {
  title: "The engine that samples is not the trainer, and nothing corrects for it",
  // Nearly every run has an engine of its own: only a gap that was measured makes this more than a note.
  severity: "note",
  confidence: "possible",
  why: "vLLM and SGLang compute other log-probs than the trainer for the same weights. The gap is small at first and grows as probabilities fall; ratios that start at 1 do not see it.",
  source:
    "Yao et al., Your efficient RL framework secretly brings you off-policy training, 2025; huggingface/trl#5815, allenai/open-instruct#1473",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.trainer === "prime-rl") return clear;
    if (s.trainer === "openrlhf" && !s.gives("engine"))
      return unknown("vllm.num_engines is not given: whether another program samples is not known");
    if (!s.isOn("engine")) return inapplicable("the trainer samples itself");
    if (s.text("engine") === "hf") return inapplicable("the trainer samples itself");
    const { read } = s;
    if (read.rule.correction.kind !== "none" || read.without.some(({ field }) => field === "correction"))
      return clear;
    return found(
      s.gives("engine")
        ? s.shown("engine")
        : s.canSet("engine")
          ? `an engine samples (${s.shown("engine")})`
          : `${s.text("engine")} samples`,
      correct(s),
      { advice: "and log the gap: it is in none of the usual metrics" },
    );
  },
};
