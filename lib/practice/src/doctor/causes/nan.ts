import { Undecided, type Change } from "../../lint/contract";
import type { View } from "../view";
import { eventInWords, have, lintInWords, lintOf, numberIn, type CauseKind } from "./contract";
import { notFiniteInWords } from "turnwise/internal/monitor/notFinite";

/** A signal that left its level so many steps before is worth naming. */
const SOON = 20;
/** A run that begins later was resumed. */
const FIRST = 2;

/** The setting of the KL in the loss, if its estimate is k3. */
function exponential(view: View): string | undefined {
  const { subject, config } = view;
  // TRL has no other estimate.
  if (config !== undefined && subject?.trainer === "trl" && (numberIn(view, "klLossCoef") ?? 0) > 0)
    return subject.shown("klLossCoef");
  if (subject === undefined || config === undefined || !subject.has("klLossEstimator")) return undefined;
  try {
    return /^(k3|low_var_kl)/.test(subject.text("klLossEstimator") ?? "")
      ? subject.shown("klLossEstimator")
      : undefined;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

/** A setting at a lower value; none where it is as low already. */
function lowered(view: View, setting: "maxGradNorm" | "learningRate", value: number): readonly Change[] {
  const now = numberIn(view, setting);
  return now !== undefined && now <= value ? [] : have(view, { setting, value });
}

/** Says which of loss and gradient was the first, as that tells where to look. */
function whereInWords(
  { run }: View,
  found: readonly { readonly name: string; readonly from: number }[],
  at: number,
): string[] {
  const gradient = found.find(({ name, from }) => /grad_norm/.test(name) && from === at);
  const loss = run!.records.find(({ update }) => update === at)?.metrics["policy/loss"];
  if (gradient === undefined || loss === undefined || !Number.isFinite(loss)) return [];
  // The Trainer of transformers replaces a loss that is NaN by the mean of the steps before.
  if (run!.log.framework === "trl" && loss === 0)
    return [
      "the loss reads 0 there, which transformers logs instead of NaN (logging_nan_inf_filter): whether the loss or the gradient was NaN first is not known",
    ];
  return [
    "the loss is finite in the step in which the gradient is not: backward, an infinite number met a factor 0, as where exp of a log-ratio overflows at a token that the mask leaves out",
  ];
}

export const nan: CauseKind = {
  title: "a number of the trainer is NaN",
  section: "nan",
  lesson: "05-off-policy-stability",
  basis:
    "arithmetic: no update after a NaN that lasts has a meaning (100); one that passed long before a fall has little to do with it (25)",
  look: (view) => {
    const { run } = view;
    const found = run?.verdict.notFinite ?? [];
    if (found.length === 0) return undefined;
    const lasts = found.some((one) => one.lasts || one.recurs);
    const at = Math.min(...found.map(({ from }) => from));
    const onset = run!.verdict.success.kind === "fell" ? run!.verdict.dip!.onset : undefined;
    const config = lintOf(view, "micro-batch-too-large");
    // A std of two or three that nearly agree is nearly 0.
    const small = lintOf(view, "small-group");
    // Before the first update nothing can have drifted or grown.
    const isFirst = at === run!.first && run!.first <= FIRST;
    const before = run!.events.filter(({ from, rose }) => rose && from < at && from >= at - SOON);
    const far = before.find(({ metric }) => metric === "policy/klReference");
    const estimator = exponential(view);
    // Elsewhere the parts are added up first, and those without a number are left out.
    const scaled =
      isFirst &&
      view.subject?.parts.dialect === "ms-swift" &&
      view.subject.parts.flags.multi_objective_aggregation === "normalize_then_sum"
        ? [
            "scale_rewards=gdpo scales each reward function by itself: one that is None or NaN for a single answer makes every advantage of its batch NaN (modelscope/ms-swift#8123)",
          ]
        : [];
    const grows =
      far !== undefined && estimator !== undefined
        ? [
            `${estimator} charges e to the log-ratio (k3): once the KL had left its level, its gradient had no bound (volcengine/verl#891)`,
          ]
        : [];
    return {
      evidence: [
        ...notFiniteInWords(found),
        ...config.map(lintInWords),
        ...(isFirst ? [] : small.map(lintInWords)),
        ...(isFirst
          ? [
              "it is so in the first step already, before any update: how the loss is computed is wrong (sizes of batches, a mask, a division by 0), not how training went",
            ]
          : []),
        ...scaled,
        ...whereInWords(view, found, at),
        ...before.map(eventInWords),
        ...grows,
      ],
      // One that came and went long before a fall has little to do with it.
      weight: lasts ? 100 : onset === undefined || Math.abs(onset - at) <= SOON ? 45 : 25,
      change: [
        ...(grows.length > 0
          ? have(view, { setting: "klLossEstimator", value: view.subject?.trainer === "verl" ? "mse" : "k2" })
          : []),
        ...(isFirst ? [] : small.flatMap(({ change }) => change)),
        ...(isFirst ? [] : [...lowered(view, "maxGradNorm", 1), ...lowered(view, "learningRate", 1e-6)]),
      ],
      advice:
        config[0]?.advice ??
        (scaled.length > 0
          ? "set --scale_rewards group, or let every reward function return a number for every answer"
          : undefined) ??
        (isFirst
          ? "run one step with another loss mode, without micro batches and without a filter of rollouts, and see which of them makes it finite; look for empty answers and for masks without a token"
          : "resume from a checkpoint before the first of these steps; if the loss itself is NaN, look for empty answers and for masks without a token"),
    };
  },
};
