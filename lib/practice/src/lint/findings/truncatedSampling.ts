import { clear, found, type Finding } from "../contract";

export const truncatedSampling: Finding = {
  title: "Sampling is cut to the likeliest tokens, and ratios do not know it",
  severity: "warning",
  confidence: "likely",
  why: "With top-p below 1, top-k or min-p the engine samples from a renormalized distribution. The trainer computes log-probs under the full one, so the ratios are wrong for every token and rare tokens are never explored.",
  source:
    "Yao et al., Your efficient RL framework secretly brings you off-policy training, 2025; huggingface/trl#4772",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const cut = [
      ...(s.has("topP") && s.number("topP") < 1 ? (["topP"] as const) : []),
      ...(s.has("topK") && (s.numberOrNull("topK") ?? 0) > 0 ? (["topK"] as const) : []),
      ...(s.has("minP") && (s.numberOrNull("minP") ?? 0) > 0 ? (["minP"] as const) : []),
    ];
    if (cut.length === 0) return clear;
    const off = { topP: 1, topK: s.trainer === "trl" ? 0 : -1, minP: s.trainer === "trl" ? null : 0 };
    return found(
      cut.map((name) => s.shown(name)).join(", "),
      cut.map((setting) => ({ setting, value: off[setting] })),
    );
  },
};
