import { clear, found, type Finding } from "../contract";

export const k1InLoss: Finding = {
  title: "k1 in the loss has no gradient",
  severity: "error",
  confidence: "certain",
  why: "The gradient of the mean log-ratio is 0 in expectation: the term adds noise to the update and does not hold the policy, although the logged KL looks like a penalty.",
  source: "Tang and Munos, arXiv 2506.09477; OpenRLHF/OpenRLHF#931",
  lesson: "10-language-model",
  check: (s) => {
    if (!s.read.without.some(({ does }) => does.startsWith("k1 in the loss"))) return clear;
    const low = s.trainer === "verl" ? "low_var_kl" : s.trainer === "openrlhf" ? "k2" : "k3";
    return found(s.shown("klLossEstimator"), [{ setting: "klLossEstimator", value: low }]);
  },
};
