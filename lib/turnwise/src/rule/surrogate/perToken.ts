import { expPairs } from "../../base/elementary/expPairs";
import { COMPILED_FROM, compiledTable, type SurrogateTokens } from "../../tensor/fused/table";
import { onDemand } from "./gateBlock";
import { type Gate, HIGH, LOW, NO } from "../gate/contract";
import { boundsOf } from "../gate/gate";
import { beyondLimit, limitedExp, limitedExpm1 } from "../ratio/units";
import type { Recipe } from "../recipe";
import type { SurrogateInput } from "./surrogateInput";
import { buffersFor, type Objective, type Sums } from "./surrogateBuffers";
import { meanDivergence } from "./tally";

/**
 * `perUnit` for units of one cell, without what pooling needs, and `divergence` on the way: ratio and KL estimate of a token
 * have one argument, so that one pass over the cells computes both. Same sums in the same order, and so the same bits.
 */
export function perToken(input: SurrogateInput, sums: Sums, gate: Gate, knobs: Recipe["gate"]): Objective {
  return compiled(input, sums, gate, knobs) ?? inSteps(input, sums, gate, knobs);
}

/** The same in one compiled pass, for a gate that is compiled; undefined where it cannot be. */
function compiled(
  { logProb_ntl: logProb, oldLogProb_ntl: old, entropy_ntl: entropy }: SurrogateInput,
  { advantage_ntl: advantage, weight_ntl: weight, active_ntl: active, ...sums }: Sums,
  gate: Gate,
  knobs: Recipe["gate"],
): Objective | undefined {
  const { tally, dLogProb_ntl: slope } = sums;
  if (slope.length < COMPILED_FROM || gate.compiled !== true || sums.clipBias_ntl) return undefined;
  if (tally.lower !== -Infinity || tally.upper !== Infinity) return undefined;
  if (!allDoubles(logProb, old, advantage, weight, entropy) || !(active instanceof Uint8Array))
    return undefined;
  const cells = { logProb, old, advantage, weight, active, entropy, slope } as SurrogateTokens;
  const { low, high } = boundsOf(knobs);
  const found = compiledTable()?.surrogate(cells, low, high);
  if (!found) return undefined;
  const { tokens, belowLow, aboveHigh, largest, smallest } = found;
  tally.met[LOW]! += belowLow;
  tally.met[HIGH]! += aboveHigh;
  tally.met[NO]! += tokens - belowLow - aboveHigh;
  tally.addAll({ tokens, largest, smallest, atLimit: 0, outside: 0 });
  return { loss: found.loss, divergence: meanDivergence(tokens, found.kl, found.entropy) };
}

const allDoubles = (...values: unknown[]): boolean => values.every((x) => x instanceof Float64Array);

function inSteps(input: SurrogateInput, sums: Sums, gate: Gate, knobs: Recipe["gate"]): Objective {
  const { logProb_ntl, oldLogProb_ntl, entropy_ntl } = input;
  const { advantage_ntl, weight_ntl, active_ntl, dLogProb_ntl, clipBias_ntl, tally } = sums;
  const size = active_ntl.length;
  const { difference, ratio, beyondOne, objective, slope, slopeLogProb, clipped } = buffersFor(size);
  let someBeyond = false;
  for (let i = 0; i < size; i++) {
    const d = active_ntl[i] === 1 ? logProb_ntl[i]! - oldLogProb_ntl[i]! : 0;
    difference[i] = d;
    if (beyondLimit(d)) someBeyond = true;
  }
  expPairs(difference, size, ratio, beyondOne);
  if (someBeyond) {
    for (let i = 0; i < size; i++) {
      if (!beyondLimit(difference[i]!)) continue;
      ratio[i] = limitedExp(difference[i]!);
      beyondOne[i] = limitedExpm1(difference[i]!);
    }
  }
  const active = active_ntl;
  gate.evaluate(knobs, {
    size,
    active,
    ratio,
    advantage: advantage_ntl,
    logProb: logProb_ntl,
    objective,
    slope,
    slopeLogProb,
    clipped,
    ...onDemand(input, active, 1),
  });
  const throughRatio = gate.through !== "logProb";
  const throughBoth = gate.through === "both";
  const { upper, lower, met } = tally;
  let [largest, smallest, atLimit, outside] = [-Infinity, Infinity, 0, 0];
  let [loss, tokens, kl, entropy] = [0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    if (active_ntl[i] !== 1) continue;
    const weight = weight_ntl[i]!;
    const r = ratio[i]!;
    const d = difference[i]!;
    const limited = someBeyond && beyondLimit(d);
    // d ratio / d logProb is the ratio itself, but at the limit.
    const dRatio = limited ? 0 : r;
    const bound = clipped[i]!;
    loss -= weight * objective[i]!;
    dLogProb_ntl[i] = -(weight * slope[i]!) * (throughRatio ? dRatio : 1);
    if (throughBoth) dLogProb_ntl[i]! -= weight * slopeLogProb[i]!;
    if (clipBias_ntl !== undefined && bound !== NO) clipBias_ntl[i] = weight * advantage_ntl[i]! * dRatio;
    tokens++;
    if (d !== 0) kl += beyondOne[i]! - d;
    if (entropy_ntl !== undefined) entropy += entropy_ntl[i]!;
    // As Math.max and Math.min: a ratio that is not a number shows.
    if (r > largest || r !== r) largest = r;
    if (r < smallest || r !== r) smallest = r;
    if (r > upper || r < lower) outside++;
    if (limited) atLimit++;
    met[bound]!++;
  }
  tally.addAll({ tokens, largest, smallest, atLimit, outside });
  return { loss, divergence: meanDivergence(tokens, kl, entropy_ntl === undefined ? undefined : entropy) };
}
