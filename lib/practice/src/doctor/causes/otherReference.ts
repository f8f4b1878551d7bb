import { short } from "turnwise/internal/base/curve";
import { hasRisen } from "../../report/learned";
import { lintInWords, lintOf, type CauseKind } from "./contract";

/** A policy that starts at its reference has a KL of 0 there, but for the noise of two forward passes. */
const APART = 0.1;
/** Nats for each token that no policy is from its reference in the first steps. */
const HUGE = 1;
const FIRST_STEPS = 3;
/** A run that begins later was resumed, and has left its reference. */
const LATEST_START = 10;

export const otherReference: CauseKind = {
  title: "the reference is not the policy that training started from",
  section: "kl-spikes",
  lesson: "10-language-model",
  basis:
    "public logs: 4 of 18 healthy ones have it, so it is no headline there (40); 65 only before a fall, or with fused kernels that are known to be wrong (threads: 2 of 57); arithmetic where it is above 1 nat for each token at once, which no first steps do, unless the run learns all the same (62)",
  look: (view) => {
    const { run } = view;
    // A KL that is summed over an answer has left 0 after the first few of an epoch's steps.
    if (run === undefined || run.first > LATEST_START || run.log.framework === "trlPpo") return undefined;
    const values = run.records.flatMap(({ metrics }) => {
      const value = metrics["policy/klReference"];
      return value !== undefined && Number.isFinite(value) ? [value] : [];
    });
    const start = values.slice(0, FIRST_STEPS);
    if (start.length < FIRST_STEPS || Math.min(...start) < APART) return undefined;
    // A run that learns all the same is not what its owner asks about.
    const isHuge = Math.min(...start) > HUGE && hasRisen(run.records) !== true;
    const [fused] = lintOf(view, "fused-kernels-split");
    return {
      ...(isHuge && {
        title:
          "the KL to the reference is huge before training has moved anything: both do not compute the same",
      }),
      ...(fused && { title: "the trainer's log-probs are wrong from the first step on" }),
      evidence: [
        `the KL to the reference is ${short(start[0]!)} at step ${run.first}, before training has moved the policy`,
        ...(run.log.dropout === undefined
          ? []
          : [
              `the model that was printed has Dropout(p=${run.log.dropout}): while it trains, no two passes over the same tokens agree`,
            ]),
        ...lintOf(view, "fused-kernels-split", "fixed-reference", "large-kl").map(lintInWords),
      ],
      // Runs that continue an adapter hold with it, as public logs show: it is worth a headline only where success fell.
      weight: run.verdict.success.kind === "fell" || fused ? 65 : isHuge ? 62 : 40,
      change: [],
      advice:
        fused?.advice ??
        (isHuge
          ? "compute the log-probs of one stored answer with both models by hand: positions that are shifted (a prompt that grows in the model, as by the patches of an image, or padding on the other side), dropout that is on (TRL: disable_dropout=True), another chat template, or a reference without the adapter that training started from give such numbers"
          : "if training started from an SFT adapter, the reference may be the base model without it: merge the adapter first, or give the trainer a reference that has it; else compare the chat template, dtype, dropout and temperature of both passes"),
    };
  },
};
