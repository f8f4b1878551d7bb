import { gateOf } from "../gate";
import { onDemand } from "./gateBlock";
import { type Gate, NO } from "../gate/contract";
import { perToken } from "./perToken";
import { ratioOf } from "../ratio";
import { poolingRule } from "../ratio/pooling";
import { UnitRatios, type BeforePooling, type UnitRule } from "../ratio/unitRatios";
import type { Recipe } from "../recipe";
import type { SurrogateInput } from "./surrogateInput";
import { buffersFor, type Objective, type Sums } from "./surrogateBuffers";
import { divergence } from "./tally";

/** Sums up the objective over the active tokens; writes its derivative in every log-prob. */
export function objectiveSum(input: SurrogateInput, recipe: Recipe, sums: Sums): Objective {
  const gate = gateOf(recipe.gate);
  if (gate.needsRatio && perTokenRow(recipe, gate)) return perToken(input, sums, gate, recipe.gate);
  return { loss: pooledSum(input, recipe, sums, gate), divergence: divergence(input, sums.active_ntl) };
}

/** Whether every token has a ratio of its own. */
const perTokenRow = ({ ratio }: Recipe, gate: Gate): boolean =>
  ratio.level !== "custom" && !("pooling" in ratio) && !gate.beforePooling;

function pooledSum(input: SurrogateInput, recipe: Recipe, sums: Sums, gate: Gate): number {
  if (!gate.needsRatio) return withoutRatio(input, sums);
  const { ratio } = recipe;
  const size = ratioOf(ratio).unitSize(input.shape);
  if (ratio.level === "custom") {
    const rule = { averaged: !ratio.entersOnce, own: ratio };
    return perUnit(input, sums, gate, recipe.gate, size, rule);
  }
  if ("pooling" in ratio) return perUnit(input, sums, gate, recipe.gate, size, poolingRule(ratio.pooling));
  return perUnit(input, sums, gate, recipe.gate, size, poolingRule("geometric"));
}

function withoutRatio({ logProb_ntl }: SurrogateInput, sums: Sums): number {
  const { advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl } = sums;
  let loss = 0;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    loss -= weight_ntl[i]! * advantage_ntl[i]! * logProb_ntl[i]!;
    dLogProb_ntl[i] = -weight_ntl[i]! * advantage_ntl[i]!;
  }
  return loss;
}

function perUnit(
  input: SurrogateInput,
  sums: Sums,
  gate: Gate,
  knobs: Recipe["gate"],
  unitSize: number,
  rule: UnitRule,
): number {
  const { advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl, clipBias_ntl, tally } = sums;
  const size = active_ntl.length;
  const { ratio, logProb, objective, slope, slopeLogProb, clipped } = buffersFor(size);
  const before = beforePoolingOf(gate, knobs, advantage_ntl);
  const units = new UnitRatios(input, active_ntl, unitSize, rule, before);
  for (let u = 0; u < units.count; u++) units.measure(u, ratio, logProb, dLogProb_ntl);
  const active = active_ntl;
  const advantage = advantage_ntl;
  gate.evaluate(knobs, {
    size,
    active,
    ratio,
    advantage,
    logProb,
    objective,
    slope,
    slopeLogProb,
    clipped,
    ...onDemand(input, active, unitSize),
  });
  const throughRatio = gate.through !== "logProb";
  const throughBoth = gate.through === "both";
  let loss = 0;
  for (let u = 0; u < units.count; u++) {
    const share = units.share[u]!;
    if (share === 0) continue;
    const limited = units.limited[u] === 1;
    const start = u * unitSize;
    let totalSlope = 0;
    let totalSlopeLogProb = 0;
    let clippedSlope = 0;
    for (let i = start; i < start + unitSize; i++) {
      if (active_ntl[i] !== 1) continue;
      const weight = weight_ntl[i]! * share;
      loss -= weight * objective[i]!;
      totalSlope += weight * slope[i]!;
      if (throughBoth) totalSlopeLogProb += weight * slopeLogProb[i]!;
      if (clipped[i] !== NO) clippedSlope += weight * advantage_ntl[i]!;
      tally.add(ratio[i]!, limited, clipped[i]!);
    }
    for (let i = start; i < start + unitSize; i++) {
      if (active_ntl[i] !== 1) continue;
      const dRatio = dLogProb_ntl[i]!;
      dLogProb_ntl[i] = -totalSlope * (throughRatio ? dRatio : units.dLogProb[u]!);
      if (throughBoth) dLogProb_ntl[i]! -= totalSlopeLogProb * units.dLogProb[u]!;
      if (clipBias_ntl !== undefined) clipBias_ntl[i] = clippedSlope * dRatio;
    }
  }
  return loss;
}

function beforePoolingOf(
  { beforePooling }: Gate,
  knobs: Recipe["gate"],
  advantage_ntl: ArrayLike<number>,
): BeforePooling {
  if (beforePooling === undefined) return (logRatio) => logRatio;
  return (logRatio, i) => beforePooling(knobs, logRatio, advantage_ntl[i]!);
}
