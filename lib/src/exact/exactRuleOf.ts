import type { Recipe } from "../rule/recipe";
import { exactRule, type ExactRule, type ExactStep } from "./exactRule";

/**
 * A row of the recipe table as the exact laboratory plays it, on trees whose turns are one token long.
 *
 * Token and turn ratios are then the same, whatever their pooling. Epochs x minibatches become plain gradient steps on the
 * expected surrogate of one batch, with the optimiser's learning rate; `o.step` replaces them, for example by the exact
 * clipped argmax.
 *
 * @param o.groupSize G (Infinity)
 * @throws {RangeError} if the row has no exact form here: shaped rewards, filters, regularisers, ratios of whole
 *   trajectories, other gates and advantages, discounting, clamps, and recomputed old log-probs
 */
export function exactRuleOf(recipe: Recipe, o: { groupSize?: number; step?: ExactStep } = {}): ExactRule {
  const { advantage, scale, ratio, gate, order, filter, regulariser, reward, update } = recipe;
  const refuse = (cell: string, value: string): never => {
    throw new RangeError(
      `Cannot play recipe ${recipe.name} exactly as ${cell} must have an exact form on trees: current value is ${value}`,
    );
  };
  if (reward.overlong !== null) refuse("reward.overlong", "on");
  if (reward.kl !== null) refuse("reward.kl", "on");
  if (filter.kind !== "none") refuse("filter", filter.kind);
  if (ratio.level === "trajectory") refuse("ratio", ratio.level);
  if (scale.kind === "batch" && scale.clamp !== null) refuse("scale.clamp", String(scale.clamp));
  if (order.oldLogProb === "recomputed") refuse("order.oldLogProb", order.oldLogProb);
  if (regulariser.klReference !== null) refuse("regulariser.klReference", "on");
  if (regulariser.klOld !== null) refuse("regulariser.klOld", "on");
  if (regulariser.entropyCoef !== 0) refuse("regulariser.entropyCoef", String(regulariser.entropyCoef));
  if (regulariser.clippingTriggered.kind !== "off") {
    refuse("regulariser.clippingTriggered", regulariser.clippingTriggered.kind);
  }
  return exactRule({
    baseline: baselineOf(advantage) ?? refuse("advantage", advantage.kind),
    scale: scale.kind,
    unbiased: scale.kind === "group" && scale.unbiased,
    groupSize: o.groupSize ?? Infinity,
    step: o.step ?? stepOf(gate, update) ?? refuse("gate", gate.kind),
    order: order.kind,
    carry: order.kind === "simultaneous" ? "off" : order.carry.kind,
    ...(order.kind !== "simultaneous" && order.carry.kind === "clipped"
      ? { carryClip: [order.carry.low, order.carry.high] as const }
      : {}),
  });
}

function baselineOf(advantage: Recipe["advantage"]): ExactRule["baseline"] | undefined {
  switch (advantage.kind) {
    case "return":
      return "none";
    case "mean":
      return advantage.groupBy === "task" ? "mean" : undefined;
    case "leaveOneOut":
      return "leaveOneOut";
    case "gae":
      return advantage.gamma === 1 ? "critic" : undefined;
    default:
      return undefined;
  }
}

function stepOf(
  gate: Recipe["gate"],
  { epochs, minibatches, optimiser }: Recipe["update"],
): ExactStep | undefined {
  const steps = epochs * minibatches;
  const { learningRate } = optimiser;
  switch (gate.kind) {
    case "none":
      return steps === 1 ? { kind: "gradient", learningRate, steps, clip: null } : undefined;
    case "unclipped":
      return { kind: "gradient", learningRate, steps, clip: null };
    case "clip":
      return { kind: "gradient", learningRate, steps, clip: { low: gate.clipLow, high: gate.clipHigh } };
    default:
      return undefined;
  }
}
