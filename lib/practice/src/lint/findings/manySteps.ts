import { clear, found, type Finding } from "../contract";
import type { Subject } from "../subject";

/** A minibatch of which a batch holds four. OpenRLHF counts rollouts. */
const fewer = (s: Subject): number =>
  Math.ceil((s.number("batch") * (s.trainer === "openrlhf" ? s.number("groupSize") : 1)) / 4);

export const manySteps: Finding = {
  title: "Many optimizer steps on one batch under Adam",
  severity: "warning",
  confidence: "likely",
  why: "Once groups agree, gradients are almost 0 and Adam's second moment shrinks. The next gradient is divided by it, and many steps on one batch then carry the policy far from what sampled it: success falls within a few updates.",
  source: "the echo trap, RAGEN, arXiv 2504.20073; measured in lesson 04 (24 steps a batch)",
  lesson: "04-echo-trap",
  check: (s) => {
    const { update } = s.rule;
    const steps = update.epochs * update.minibatches;
    if (steps < 8) return clear;
    const change =
      s.has("minibatch") && update.epochs < 8
        ? [
            ...(update.epochs > 1 ? [{ setting: "epochs", value: 1 } as const] : []),
            { setting: "minibatch", value: fewer(s) } as const,
          ]
        : s.either([{ setting: "epochs", value: 1 }]);
    return found(`${steps} optimizer steps on each batch (${update.epochs} x ${update.minibatches})`, change);
  },
};
