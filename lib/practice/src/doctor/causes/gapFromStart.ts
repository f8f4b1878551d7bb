import { short } from "turnwise/internal/base/curve";
import type { MetricName } from "turnwise/internal/base/glossary";
import { mean } from "turnwise/internal/base/statistics";
import { valuesOf } from "../../report/klSign";
import { lintInWords, lintOf, type CauseKind } from "./contract";
import { isBypassed } from "./bypass";
import { isMixture } from "./mixture";

/**
 * By how much engines differ that hold the same weights and get the same tokens, several times over: bf16 takes log-probs some
 * .01 to .05 apart, mixtures of experts twice as far.
 */
const APART: readonly (readonly [metric: MetricName, title: string, least: number, usual: string])[] = [
  ["mismatch/logProbGap", "the log-prob gap of engine and trainer", 0.15, ".01 to .05"],
  ["mismatch/probGap", "the probability gap of engine and trainer", 0.08, ".005 to .02"],
  ["mismatch/approxKl", "the KL of engine and trainer", 0.05, "below .01"],
  ["mismatch/kl", "k1 of engine and trainer", 0.1, "below .01"],
];
/** The KL of an update holds the distance of engine and trainer, too, if old log-probs are the engine's own. */
const BYPASSED = [
  "policy/approxKl",
  "the KL of an update, which counts from the engine's log-probs (bypass_mode),",
  0.05,
  "below .01",
] as const;
/** Experts have causes of their own. */
const EXPERTS =
  "for a mixture of experts try first what costs a line: the engine's kernels for experts, whose default changes with vLLM's releases and which may not take new weights (vLLM: moe_backend=triton; NVIDIA-NeMo/RL#2586), and routing that is replayed in the trainer; then store some rollouts with both log-probs and examine them";
const FIRST_STEPS = 5;
/** A run that begins later was resumed. */
const LATEST_START = 10;

export const gapFromStart: CauseKind = {
  title: "engine and trainer disagree from the first step on: they do not compute the same",
  section: "engines-apart",
  lesson: "05-off-policy-stability",
  basis:
    "threads: 5 of 45; the limits are three times what engines with equal weights differ by (72 before a fall, else 52)",
  look: (view) => {
    const { run } = view;
    if (run === undefined || run.first > LATEST_START) return undefined;
    const apart = isBypassed(view) ? [...APART, BYPASSED] : APART;
    const found = apart.flatMap(([metric, title, least, usual]) => {
      const start = valuesOf(run.records, metric).slice(0, FIRST_STEPS);
      // One that opens at the third step was closed before.
      const isWide = start.length === FIRST_STEPS && start.every((value) => Math.abs(value) >= least / 2);
      if (!isWide || Math.abs(mean(start)) < least) return [];
      return [
        `${title} is ${short(mean(start))} in the first ${FIRST_STEPS} steps, where engines with the same weights have ${usual}`,
      ];
    });
    if (found.length === 0) return undefined;
    const config = lintOf(
      view,
      "low-temperature",
      "high-temperature",
      "truncated-sampling",
      "quantized-rollouts",
      "engine-without-correction",
      "fused-kernels-split",
    );
    return {
      evidence: [...found, ...config.map(lintInWords)],
      weight: run.verdict.success.kind === "fell" ? 72 : 52,
      change: [],
      advice:
        config.find(({ id }) => id === "fused-kernels-split")?.advice ??
        (isMixture(view) ? EXPERTS : undefined) ??
        "store some rollouts with both log-probs and examine them: log-probs off by one token, a temperature or top-p that one side leaves out, attention across packed answers, other tokens, and weights or an adapter that the engine never got all begin like this",
    };
  },
};
