import type { Metrics } from "../../base/glossary";
import { zeros } from "../../tensor/zeros";
import type { Custom } from "../custom/custom";
import { limitedExp } from "../ratio/units";
import type { LossFunction } from "./contract";
import { differentiate, turnMask, type LossArrays } from "./differentiate";
import { expectFinite } from "./finite";
import { expectPure } from "./pure";
import { refusal } from "./refusal";

/** The loss, its derivative where the mask is 1, and what a record says of it. */
export interface OwnLossGradient {
  readonly loss: number;
  readonly dLogProb_ntl: Float64Array;
  readonly dEntropy_ntl?: Float64Array;
  readonly dValue_nt?: Float64Array;
  readonly metrics: Metrics;
}

/**
 * The value and the derivatives of a whole loss of the caller's.
 *
 * The first call of each function also tries whether it gives the same twice, and whether masked positions matter to it.
 *
 * @throws {TypeError} if the function throws, returns no single number, or depends on nothing that a policy could change
 * @throws {RangeError} if the loss or a derivative is not finite, depends on masked positions, or differs from call to call
 */
export function ownLossGradient(
  own: Custom<LossFunction>,
  input: LossArrays,
  spent?: Float64Array,
): OwnLossGradient {
  const found = differentiate(own, input);
  const { loss, dLogProb_ntl, dEntropy_ntl, dValue_nt } = found;
  if (dLogProb_ntl === null && dEntropy_ntl === null) {
    const on = dValue_nt === null ? "neither" : "value_nt alone";
    throw refusal(
      own.label,
      `it must depend on logProb_ntl or entropy_ntl, or no policy can learn from it, but it depends on ${on}.`,
      TypeError,
    );
  }
  // A policy that has already lost its numbers is no fault of the loss: the trainer reports it.
  if (finiteInput(input)) {
    expectFinite(own.label, input, found);
    expectPure(own, input, found);
  }
  const { active_ntl, shape } = input;
  const turnMask_nt = turnMask(shape, active_ntl);
  return {
    loss,
    dLogProb_ntl: dLogProb_ntl === null ? zeros(active_ntl.length, spent) : masked(dLogProb_ntl, active_ntl),
    ...(dEntropy_ntl !== null && { dEntropy_ntl: masked(dEntropy_ntl, active_ntl) }),
    ...(dValue_nt !== null && { dValue_nt: masked(dValue_nt, turnMask_nt) }),
    metrics: ratioExtremes(input),
  };
}

function masked(gradient: Float64Array, mask: ArrayLike<number>): Float64Array {
  for (let i = 0; i < gradient.length; i++) if (mask[i] !== 1) gradient[i] = 0;
  return gradient;
}

function finiteInput({ active_ntl, ...arrays }: LossArrays): boolean {
  const { logProb_ntl, oldLogProb_ntl, advantage_ntl, entropy_ntl, refLogProb_ntl } = arrays;
  for (const values of [logProb_ntl, oldLogProb_ntl, advantage_ntl, entropy_ntl, refLogProb_ntl]) {
    if (values === undefined) continue;
    for (let i = 0; i < active_ntl.length; i++) {
      if (active_ntl[i] === 1 && !Number.isFinite(values[i])) return false;
    }
  }
  return true;
}

/** The extremes of the tokens' own ratios: what the loss makes of them, nobody knows. */
function ratioExtremes({ active_ntl, logProb_ntl, oldLogProb_ntl }: LossArrays): Metrics {
  let largest = -Infinity;
  let smallest = Infinity;
  for (let i = 0; i < active_ntl.length; i++) {
    if (active_ntl[i] !== 1) continue;
    const ratio = limitedExp(logProb_ntl[i]! - oldLogProb_ntl[i]!);
    if (ratio > largest) largest = ratio;
    if (ratio < smallest) smallest = ratio;
  }
  return largest === -Infinity ? {} : { "policy/ratioMax": largest, "policy/ratioMin": smallest };
}
