import type { Recipe } from "turnwise/internal/rule/index";
import type { ReadTrainer } from "./contract";

/** Gates that bound a ratio to the old policy, and so do nothing where it is 1. */
const bounding = [
  "clip",
  "dualClip",
  "cispo",
  "logClip",
  "dppo",
  "fairClip",
  "standingClip",
  "offPolicyMask",
];

/** Settings of a configuration besides its rule. */
export interface Setup extends Pick<ReadTrainer, "comparesWithSampler"> {
  /** Whether another program than the trainer samples, so that its log-probs differ from those of the same policy. */
  readonly hasEngine: boolean;
}

/** Consequences of a configuration that may be unintended, a sentence each. */
export function warningsOf(
  { reward, regularizer, update, gate, ratio }: Recipe,
  { comparesWithSampler = false, hasEngine }: Setup,
): string[] {
  const { kl } = reward;
  const { klReference } = regularizer;
  const once = update.epochs * update.minibatches === 1;
  return [
    ...(kl !== null && klReference !== null
      ? [
          `a KL to the reference is charged twice: with coefficient ${kl.coef} in the reward, and ${klReference.coef} in the loss`,
        ]
      : []),
    ...(once && !comparesWithSampler && ratio.level !== "none" && bounding.includes(gate.kind)
      ? [`one step is taken from each batch, so every ratio is 1: ${idle(gate.kind, hasEngine)}`]
      : []),
  ];
}

/**
 * Parts of a gate that have no effect if every ratio to the old policy is 1; the off-policy mask measures from the
 * program that sampled.
 */
function idle(gate: Recipe["gate"]["kind"], hasEngine: boolean): string {
  if (gate !== "offPolicyMask") return "nothing is clipped, and the logged clip ratio is always 0";
  return hasEngine
    ? "nothing is clipped; the off-policy mask still drops trajectories, as it measures from the engine that sampled"
    : "nothing is clipped, and the off-policy mask drops nothing, as the trainer samples itself";
}
