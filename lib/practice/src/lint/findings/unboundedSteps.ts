import { clear, found, type Finding } from "../contract";
import { bounds } from "./widths";

export const unboundedSteps: Finding = {
  title: "Several steps on a batch and no bound on the ratio",
  severity: "error",
  confidence: "likely",
  why: "From the second step on the data is of an older policy. Without a bound the step is not limited by how far the policy has already moved.",
  source: "PPO, arXiv 1707.06347, section 3; TRPO, arXiv 1502.05477",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const { gate, update, ratio } = s.rule;
    const steps = update.epochs * update.minibatches;
    if (gate.kind !== "unclipped" && gate.kind !== "none" && ratio.level !== "none") return clear;
    if (steps === 1) return clear;
    return found(
      `${steps} steps on each batch, gate ${gate.kind}`,
      s.trainer === "verl" ? [{ setting: "ratioLevel", value: "vanilla" }, ...bounds(s)] : bounds(s),
    );
  },
};
