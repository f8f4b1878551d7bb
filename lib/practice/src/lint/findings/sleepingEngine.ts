import { clear, found, inapplicable, type Finding } from "../contract";

const SLEEPS = "vllm_enable_sleep_mode";

export const sleepingEngine: Finding = {
  title: "The engine sleeps between rollouts, and may wake with old weights",
  severity: "note",
  confidence: "possible",
  why: "vLLM's sleep at level 2 drops its weights. TRL 0.25 to 1.9 lets it load those of the first policy when it wakes, and samples with them.",
  source: "huggingface/trl#5312 (fixed in 1.10)",
  lesson: "05-off-policy-stability",
  check: (s) => {
    if (s.trainer !== "trl") return inapplicable(`${s.title} has no ${SLEEPS}`);
    if (!s.isOn("engine") || !s.parts.given.flag(SLEEPS, false)) return clear;
    return found(`${SLEEPS}=True`, [], {
      advice: `set ${SLEEPS}=False, or use TRL 1.10 or later: the log-prob gap of engine and trainer (sampling/sampling_logp_difference) then stays where it began`,
    });
  },
};
