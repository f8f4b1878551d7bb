import { short } from "turnwise/internal/base/curve";
import { valuesOf } from "../../report/klSign";
import type { View } from "../view";
import { lintInWords, lintOf, meanOf, numberIn, type CauseKind, type Evidence } from "./contract";

/** Steps in which a policy that learns has moved. */
const FEWEST = 20;
/** So many gradients of exactly 0 are no chance where rewards differ at each of their steps. */
const FEWEST_STILL = 5;
/** Weight of what shows that the policy never moved. */
export const UNMOVED = 72;

export const noGradient: CauseKind = {
  title: "no gradient reaches the weights",
  section: "loss-is-zero",
  lesson: "01-grpo-from-scratch",
  basis:
    "arithmetic: a gradient of 0 at every step moves nothing (85; 72 where the log does not show that rewards differ within groups); a KL that is charged and stays exactly 0 is one of a policy that has not moved (72; 40 where the coefficient is not known), as is an adapter loaded for inference (64)",
  look: (view) => flat(view) ?? frozen(view),
};

const RATIO_ADVICE =
  "write importance_sampling_level: token, and look whether max(abs(lora_b)) of the saved adapter leaves 0 within a few steps";

/** Whether every gradient of a run that is too short for more is 0, although rewards differ in each of its steps. */
function isStillAtOnce({ run }: View): boolean {
  const records = run?.records ?? [];
  return (
    records.length >= FEWEST_STILL &&
    records.every(
      ({ metrics }) =>
        metrics["policy/gradNorm"] === 0 &&
        ((metrics["reward/std"] ?? 0) > 0 ||
          (metrics["reward/fracZeroStd"] !== undefined && metrics["reward/fracZeroStd"] < 1)),
    )
  );
}

/** Says that a setting whose former default made every ratio constant is not given. */
function constantRatio({ config, subject }: View): string[] {
  return config?.lint.dialect === "mlx-lm-lora" && subject?.gives("ratioLevel") === false
    ? [
        "importance_sampling_level is not given: in mlx-lm-lora's former releases its default, none, makes every ratio a constant, so that rewards have no gradient (Goekdeniz-Guelmez/mlx-lm-lora#55)",
      ]
    : [];
}

/** A gradient of 0 although rewards differ. */
function flat(view: View): Evidence | undefined {
  const { run } = view;
  if (run === undefined || (run.constants.get("policy/gradNorm") !== 0 && !isStillAtOnce(view)))
    return undefined;
  const spread = meanOf(view, "reward/std");
  const equal = meanOf(view, "reward/fracZeroStd");
  if (spread === 0 || (equal !== undefined && equal > 0.95)) return undefined;
  const isKnown = spread !== undefined || equal !== undefined;
  // A batch of groups that agree among themselves has a mean that moves, too, but hardly at every step.
  if (!isKnown && (run.constants.has("reward/mean") || run.constants.has("success/mean"))) return undefined;
  return {
    evidence: [
      "the gradient norm is 0 at every step",
      isKnown
        ? `rewards within groups differ (${spread === undefined ? `${Math.round(100 * (1 - equal!))}% of groups do` : `their spread is ${spread.toFixed(2)} on average`}), so that advantages are not 0`
        : "the mean reward moves from step to step, although the log does not show the spread within groups",
      ...lintOf(view, "frozen-adapter").map(lintInWords),
      ...constantRatio(view),
    ],
    weight: isKnown ? 85 : UNMOVED,
    change: [],
    advice:
      (constantRatio(view).length > 0 ? RATIO_ADVICE : undefined) ??
      "check that some weights require a gradient: LoRA with gradient checkpointing needs enable_input_require_grads(), a mask that leaves out every cut answer can leave no token, and some combinations of ZeRO and vLLM report 0, as do some releases of DeepSpeed: try another one of it first, which costs least",
  };
}

/** A policy that has not moved, although gradients are reported. */
function frozen(view: View): Evidence | undefined {
  const kl = valuesOf(view.run?.records ?? [], "policy/klReference");
  const coefficient = numberIn(view, "klLossCoef");
  // Without any gradient, there is nothing that could have reached them.
  const reported = view.run?.constants.get("policy/gradNorm") !== 0;
  const still = reported && kl.length >= FEWEST && kl.every((value) => value === 0) && coefficient !== 0;
  const config = lintOf(view, "frozen-adapter");
  if (!still && config.length === 0) return undefined;
  const norm = meanOf(view, "policy/gradNorm");
  return {
    title: "updates do not reach the weights",
    evidence: [
      ...(still
        ? [
            `the KL to the reference is exactly 0 at all ${kl.length} steps: the policy is still the one that it is compared with${norm === undefined || norm === 0 ? "" : `, although gradients are reported (${short(norm)} on average)`}`,
          ]
        : []),
      ...config.map(lintInWords),
      ...(still ? constantRatio(view) : []),
    ],
    // Some trainers log a 0 where no KL is computed at all.
    weight: (still ? (coefficient === undefined ? 40 : UNMOVED) : 64) + (still ? 10 * config.length : 0),
    change: [],
    advice:
      (still && constantRatio(view).length > 0 ? RATIO_ADVICE : undefined) ??
      "count the parameters that require a gradient before training, and compare a checksum of the saved weights with those at the start",
  };
}
