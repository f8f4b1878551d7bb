import { advantageOf } from "../rule/advantage";
import { gateOf } from "../rule/gate";
import { carryOf } from "../rule/order/carries";
import { ratioOf } from "../rule/ratio";
import { customFunctions } from "../rule/custom/customFunctions";
import type { Recipe } from "../rule/recipe";
import { covarianceOf } from "../rule/regularizer/covariance";
import { clippingTriggeredOf } from "../rule/regularizer/triggered";
import { stepScaleOf } from "../rule/stepScale";
import { exactRule, type ExactRule, type ExactStep } from "./exactRule";

/**
 * A row of the recipe table as the exact laboratory plays it, on trees whose turns are one token long.
 *
 * Token and turn ratios are then the same, whatever their pooling. Epochs x minibatches become plain gradient steps on the
 * expected surrogate of one batch, with the optimizer's learning rate; `o.step` replaces them, for example by the exact
 * clipped argmax.
 *
 * @param o.groupSize G (Infinity)
 * @throws {RangeError} if the row has no exact form here: shaped rewards, filters, regularizers, ratios of whole
 *   trajectories, other gates and advantages, discounting, clamps, recomputed old log-probs, and custom functions
 */
export function exactRuleOf(recipe: Recipe, o: { groupSize?: number; step?: ExactStep } = {}): ExactRule {
  const { advantage, scale, ratio, gate, order, filter, regularizer, reward, update } = recipe;
  const refuse = (field: string, value: string): never => {
    throw new RangeError(
      `Cannot play recipe ${recipe.name} exactly: ${field} must have an exact form on trees, got ${value}.`,
    );
  };
  for (const { field, by } of customFunctions(recipe)) refuse(field, `an own function, "${by.label}"`);
  if (reward.environment !== 1) refuse("reward.environment", String(reward.environment));
  if (recipe.demonstrations > 0) refuse("demonstrations", String(recipe.demonstrations));
  if (reward.overlong !== null) refuse("reward.overlong", "on");
  if (reward.kl !== null) refuse("reward.kl", "on");
  if (reward.step.kind !== "none") refuse("reward.step", reward.step.kind);
  if (filter.kind !== "none") refuse("filter", filter.kind);
  if (ratioOf(ratio).axes.includes(1)) refuse("ratio", ratio.level);
  if ("clamp" in scale && scale.clamp !== null) refuse("scale.clamp", String(scale.clamp));
  if (order.oldLogProb === "recomputed") refuse("order.oldLogProb", order.oldLogProb);
  if (regularizer.klReference !== null) refuse("regularizer.klReference", "on");
  if (regularizer.klOld !== null) refuse("regularizer.klOld", "on");
  if (regularizer.entropyCoef !== 0) refuse("regularizer.entropyCoef", String(regularizer.entropyCoef));
  const { entropyTarget, entropyShare, covariance, observationCoef } = regularizer;
  if (observationCoef > 0) refuse("regularizer.observationCoef", String(observationCoef));
  if (entropyTarget !== null) refuse("regularizer.entropyTarget", "on");
  if (entropyShare < 1) refuse("regularizer.entropyShare", String(entropyShare));
  if (covarianceOf(covariance).active) refuse("regularizer.covariance", covariance.kind);
  if (clippingTriggeredOf(regularizer.clippingTriggered).active) {
    refuse("regularizer.clippingTriggered", regularizer.clippingTriggered.kind);
  }
  if (stepScaleOf(update.stepScale).active) refuse("update.stepScale", update.stepScale.kind);
  const carry = "carry" in order ? order.carry : ({ kind: "off" } as const);
  const bounds = carryOf(carry).bounds(carry);
  return exactRule({
    baseline: advantageOf(advantage).exactBaseline(advantage) ?? refuse("advantage", advantage.kind),
    scale: scale.kind === "custom" || scale.kind === "tokens" ? refuse("scale", scale.kind) : scale.kind,
    unbiased: scale.kind === "group" && scale.unbiased,
    groupSize: o.groupSize ?? Infinity,
    step: o.step ?? stepOf(gate, update) ?? refuse("gate", gate.kind),
    order: order.kind === "custom" ? refuse("order", order.kind) : order.kind,
    carry: carry.kind,
    ...(bounds === null ? {} : { carryClip: bounds }),
  });
}

function stepOf(
  gate: Recipe["gate"],
  { epochs, minibatches, optimizer }: Recipe["update"],
): ExactStep | undefined {
  const { ratioShape, needsRatio, range } = gateOf(gate);
  const steps = epochs * minibatches;
  // Without a ratio, the batch is used up by its first step.
  if (ratioShape === null || (!needsRatio && steps > 1)) return undefined;
  const clip = ratioShape === "clippedLine" ? range(gate) : null;
  return { kind: "gradient", learningRate: optimizer.learningRate, steps, clip };
}
