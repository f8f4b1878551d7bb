import { clear, found, inapplicable, type Finding } from "../contract";
import { correct } from "./corrections";
import { bounds } from "./widths";

export const staleWithoutCorrection: Finding = {
  title: "Rollouts are older than the policy, and nothing corrects for it",
  severity: "error",
  confidence: "likely",
  why: "With asynchronous rollouts the policy that sampled is some updates old. Without weights to it, or with ratios that begin at the trainer's own log-probs, the age is not seen at all.",
  source: "AReaL, arXiv 2505.24298; volcengine/verl#2953",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const aged = s.has("staleness") ? s.isOn("staleness") : false;
    if (!s.has("staleness")) return inapplicable(`${s.title} samples between its updates`);
    if (!aged) return clear;
    if (s.trainer === "prime-rl") {
      const level = s.number("staleness");
      return level <= 2 ? clear : found(s.shown("staleness"), [{ setting: "staleness", value: 2 }]);
    }
    if (s.rule.correction.kind !== "none") return clear;
    // Ratios to the engine that sampled see the age, and their clip bounds it.
    if (s.read.without.some(({ flag }) => flag.endsWith("bypass_mode"))) {
      if (s.rule.gate.kind !== "unclipped" && s.rule.gate.kind !== "none") return clear;
      return found(`${s.shown("staleness")}, and ratios without a bound (${s.shown("ratioLevel")})`, [
        { setting: "ratioLevel", value: "vanilla" },
        ...bounds(s),
      ]);
    }
    return found(`${s.shown("staleness")}, and no correction`, correct(s));
  },
};
