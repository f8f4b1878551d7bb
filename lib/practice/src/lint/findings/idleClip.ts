import { clear, found, inapplicable, type Finding } from "../contract";
import type { Subject } from "../subject";

/** Gates that bound a ratio to the old policy, and so do nothing where it is 1. */
const bounding = ["clip", "dualClip", "cispo", "logClip", "dppo", "fairClip", "standingClip"];

const comparesWithSampler = (s: Subject): boolean =>
  s.trainer === "prime-rl" || s.read.without.some(({ flag }) => flag.endsWith("bypass_mode"));

export const idleClip: Finding = {
  title: "One optimizer step per batch: the clip never acts",
  severity: "note",
  confidence: "certain",
  why: "In the first step on a batch the policy is the one that sampled it, so every ratio is 1: nothing is clipped, the logged clip fraction is always 0 and says nothing, and clip widths change nothing.",
  source: "PPO, arXiv 1707.06347, section 3; huggingface/trl#3120",
  lesson: "05-off-policy-stability",
  check: (s) => {
    const { update, ratio, gate } = s.rule;
    if (ratio.level === "none" || !bounding.includes(gate.kind))
      return inapplicable("its gate has no bounds");
    if (comparesWithSampler(s))
      return inapplicable("its ratios are to the engine that sampled, so they are not 1");
    const steps = update.epochs * update.minibatches;
    if (steps > 1) return clear;
    return found("one optimizer step for each batch of rollouts", [], {
      advice: "keep it: one step per batch is on-policy and stable; only do not read the clip fraction",
    });
  },
};
