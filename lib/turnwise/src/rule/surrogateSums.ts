import { gateOf } from "./gate";
import { onDemand } from "./gateBlock";
import { type Gate, NO } from "./gate/contract";
import { perToken } from "./perToken";
import { ratioOf } from "./ratio";
import { ownRatio, type OwnRatio } from "./ratio/custom";
import { poolingRule, type PoolingRule } from "./ratio/pooling";
import { beyondLimit, limitedExp } from "./ratio/units";
import type { Recipe } from "./recipe";
import type { SurrogateInput } from "./surrogateInput";
import { roomFor, type Objective, type Sums } from "./surrogateRoom";
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

/** How a unit's tokens become one ratio: by a pooling that has a name, or by a function. */
type UnitRule = PoolingRule | { readonly averaged: boolean; readonly own: OwnRatio };

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
  const { ratio, logProb, objective, slope, slopeLogProb, clipped } = roomFor(size);
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

/** What becomes of the log-ratio of a cell before it is pooled. */
type BeforePooling = (logRatio: number, i: number) => number;

function beforePoolingOf(
  { beforePooling }: Gate,
  knobs: Recipe["gate"],
  advantage_ntl: ArrayLike<number>,
): BeforePooling {
  if (beforePooling === undefined) return (logRatio) => logRatio;
  return (logRatio, i) => beforePooling.value(knobs, logRatio, advantage_ntl[i]!);
}

/** The ratios of all units, and what else of a unit the sums ask for. */
class UnitRatios {
  readonly count: number;
  /** What one cell of the unit counts for: 1, or 1 / size for a product; 0 for a unit without active cells. */
  readonly share: Float64Array;
  /** Derivative of the unit's pooled log-prob in the log-prob of one cell. */
  readonly dLogProb: Float64Array;
  readonly limited: Uint8Array;

  constructor(
    private readonly input: SurrogateInput,
    private readonly active_ntl: ArrayLike<number>,
    private readonly size: number,
    private readonly rule: UnitRule,
    private readonly before: BeforePooling,
  ) {
    this.count = active_ntl.length / size;
    this.share = new Float64Array(this.count);
    this.dLogProb = new Float64Array(this.count);
    this.limited = new Uint8Array(this.count);
  }

  /** Writes ratio, pooled log-prob and d ratio / d logProb of a unit into each of its active cells. */
  measure(u: number, ratio: Float64Array, pooledLogProb: Float64Array, dRatio: Float64Array): void {
    const { active_ntl, size, rule, before } = this;
    if ("own" in rule) return this.#measureOwn(u, rule, ratio, pooledLogProb, dRatio);
    const { logProb_ntl, oldLogProb_ntl } = this.input;
    const overLogs = rule.over === "logs";
    const start = u * size;
    const end = start + size;
    let sum = 0;
    let logProb = 0;
    let count = 0;
    let limited = false;
    for (let i = start; i < end; i++) {
      if (active_ntl[i] !== 1) continue;
      count += 1;
      logProb += logProb_ntl[i]!;
      const own = logProb_ntl[i]! - oldLogProb_ntl[i]!;
      const difference = before(own, i);
      const kept = difference === own ? 1 : 0;
      if (overLogs) {
        sum += difference;
        dRatio[i] = kept;
        continue;
      }
      const token = limitedExp(difference);
      sum += token;
      limited ||= beyondLimit(difference);
      dRatio[i] = beyondLimit(difference) ? 0 : kept * token;
    }
    if (count === 0) return;
    const divisor = rule.averaged ? count : 1;
    const pooled = sum / divisor;
    if (overLogs) limited = beyondLimit(pooled);
    const value = overLogs ? limitedExp(pooled) : pooled;
    const slope = limited ? 0 : value / divisor;
    logProb /= divisor;
    for (let i = start; i < end; i++) {
      if (active_ntl[i] !== 1) continue;
      ratio[i] = value;
      pooledLogProb[i] = logProb;
      dRatio[i] = overLogs ? dRatio[i]! * slope : dRatio[i]! / divisor;
    }
    this.share[u] = rule.averaged ? 1 : 1 / count;
    this.dLogProb[u] = 1 / divisor;
    this.limited[u] = limited ? 1 : 0;
  }

  #measureOwn(
    u: number,
    { own, averaged }: { readonly own: OwnRatio; readonly averaged: boolean },
    ratio: Float64Array,
    pooledLogProb: Float64Array,
    dRatio: Float64Array,
  ): void {
    const { active_ntl, size, before } = this;
    const { logProb_ntl, oldLogProb_ntl } = this.input;
    const cells: number[] = [];
    for (let i = u * size; i < (u + 1) * size; i++) if (active_ntl[i] === 1) cells.push(i);
    if (cells.length === 0) return;
    const differences = cells.map((i) => logProb_ntl[i]! - oldLogProb_ntl[i]!);
    const pooled = differences.map((difference, l) => before(difference, cells[l]!));
    const found = ownRatio(own, pooled);
    const divisor = averaged ? cells.length : 1;
    const logProb = cells.reduce((sum, i) => sum + logProb_ntl[i]!, 0) / divisor;
    cells.forEach((i, l) => {
      ratio[i] = found.ratio;
      pooledLogProb[i] = logProb;
      dRatio[i] = pooled[l] === differences[l] ? found.slope[l]! : 0;
    });
    this.share[u] = averaged ? 1 : 1 / cells.length;
    this.dLogProb[u] = 1 / divisor;
  }
}
