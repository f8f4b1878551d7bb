import { clear, found, inapplicable, type Change, type Finding } from "../contract";
import type { Subject } from "../subject";

/** Gates that bound a ratio to the old policy, and so do nothing where it is 1. */
const bounding = ["clip", "dualClip", "cispo", "logClip", "dppo", "fairClip"];

const comparesWithSampler = (s: Subject): boolean =>
  s.trainer === "prime-rl" || s.read.without.some(({ flag }) => flag.endsWith("bypass_mode"));

/** Minibatches above the batch are the batch. OpenRLHF counts minibatches in rollouts. */
const smaller = (s: Subject): "batch" | "minibatch" =>
  s.number("batch") < s.number("minibatch") ? "batch" : "minibatch";

const half = (count: number): number => Math.max(1, Math.floor(count / 2));

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
    const change = s.has("minibatch")
      ? [{ setting: "minibatch", value: half(s.number(smaller(s))) }]
      : s.either([{ setting: "epochs", value: 2 }]);
    return found(`one optimizer step for each batch of rollouts`, change as readonly Change[], {
      advice: "or keep it: one step per batch is on-policy and stable; only do not read the clip fraction",
    });
  },
};
