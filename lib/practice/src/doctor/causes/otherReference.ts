import { short } from "turnwise/internal/base/curve";
import { lintInWords, lintOf, type CauseKind } from "./contract";

/** A policy that starts at its reference has a KL of 0 there, but for the noise of two forward passes. */
const APART = 0.1;
const FIRST_STEPS = 3;
/** A run that begins later was resumed, and has left its reference. */
const LATEST_START = 10;

export const otherReference: CauseKind = {
  title: "the reference is not the policy that training started from",
  section: "kl-spikes",
  lesson: "10-language-model",
  basis:
    "public logs: 4 of 18 healthy ones have it, so it is no headline there (40); 65 only before a fall, or with fused kernels that are known to be wrong (threads: 2 of 57)",
  look: (view) => {
    const { run } = view;
    if (run === undefined || run.first > LATEST_START) return undefined;
    const values = run.records.flatMap(({ metrics }) => {
      const value = metrics["policy/klReference"];
      return value !== undefined && Number.isFinite(value) ? [value] : [];
    });
    const start = values.slice(0, FIRST_STEPS);
    if (start.length < FIRST_STEPS || Math.min(...start) < APART) return undefined;
    const [fused] = lintOf(view, "fused-kernels-split");
    return {
      ...(fused && { title: "the trainer's log-probs are wrong from the first step on" }),
      evidence: [
        `the KL to the reference is ${short(start[0]!)} at step ${run.first}, before training has moved the policy`,
        ...lintOf(view, "fused-kernels-split", "fixed-reference", "large-kl").map(lintInWords),
      ],
      // Runs that continue an adapter hold with it, as public logs show: it is worth a headline only where success fell.
      weight: run.verdict.success.kind === "fell" || fused ? 65 : 40,
      change: [],
      advice:
        fused?.advice ??
        "if training started from an SFT adapter, the reference may be the base model without it: merge the adapter first, or give the trainer a reference that has it; else compare the chat template, dtype and temperature of both passes",
    };
  },
};
