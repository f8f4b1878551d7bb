import { createRng } from "../../base/rng";
import type { Recipe } from "../../rule";
import { gateOf } from "../../rule/gate";
import { figure, type Finding } from "./finding";
import type { Rollout } from "./rollout";
import { moved, perToken, samples } from "./samples";
import { tokenGradient } from "./tokenGradient";

/** A step in double precision and its tolerance; then one that single precision resolves, as TensorFlow.js computes in it. */
const steps = [
  { size: 1e-5, tolerance: 1e-5 },
  { size: 0.02, tolerance: 0.01 },
] as const;

const check = "gradient";

/**
 * d loss / d log-prob against differences of the loss, token by token, at ratios between e^-.6 and e^.6.
 *
 * At a kink, such as the bound of a clip, the derivative may lie anywhere between the differences to both sides.
 */
export function gradient(row: Recipe): Finding {
  let worst = 0;
  let tokens = 0;
  let pushed = 0;
  for (const { rollout } of samples) {
    const rng = createRng(1).split("gradient");
    const shift_ntl = moved(rollout, () => 1.2 * rng.next() - 0.6);
    const advantage_ntl = perToken(rollout, () => 2 * rng.next() - 1);
    const { error, count, size } = compare(row, rollout, shift_ntl, advantage_ntl);
    worst = Math.max(worst, error);
    tokens += count;
    pushed = Math.max(pushed, size);
  }
  const figures = { "largest relative error": worst, tokens };
  if (pushed === 0) {
    return {
      check,
      verdict: "failed",
      sentence: "The loss has no gradient in any log-prob.",
      hint: "The ratio may be behind a stop-gradient with nothing left for the gradient to go through: weigh log-probs by it, as CISPO does.",
      figures,
    };
  }
  const agrees = worst <= steps[1].tolerance;
  return {
    check,
    verdict: agrees ? "passed" : "failed",
    sentence: agrees
      ? `The gradient is that of the loss: finite differences agree on ${tokens} tokens.`
      : `The gradient is not that of the loss: finite differences are off by ${figure(worst)} of its largest entry.`,
    ...(agrees
      ? {}
      : { hint: "A slope that does not belong to its objective, or a ratio that was detached on its way." }),
    figures,
  };
}

/** The best of the step sizes: each has its own error, and none of a right gradient fails both. */
function compare(
  row: Recipe,
  rollout: Rollout,
  logProb_ntl: Float64Array,
  advantage_ntl: Float64Array,
): { error: number; count: number; size: number } {
  const { dLogProb_ntl, loss } = tokenGradient(row, rollout, { logProb_ntl, advantage_ntl });
  const size = dLogProb_ntl.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const cells = [...logProb_ntl.keys()].filter((i) => rollout.batch.mask_ntl[i] === 1);
  const lossAt = (i: number, by: number): number => {
    const at = logProb_ntl.slice();
    at[i]! += by;
    const question = { logProb_ntl: at, advantage_ntl };
    return tokenGradient(row, heldRatio(row, rollout, i, by), question).loss;
  };
  let error = Infinity;
  for (const step of steps) {
    let worst = 0;
    for (const i of cells) {
      const forward = (lossAt(i, step.size) - loss) / step.size;
      const backward = (loss - lossAt(i, -step.size)) / step.size;
      const outside = Math.max(
        Math.min(forward, backward) - dLogProb_ntl[i]!,
        dLogProb_ntl[i]! - Math.max(forward, backward),
        0,
      );
      worst = Math.max(worst, outside / size);
      if (Number.isNaN(outside)) worst = Infinity;
    }
    error = Math.min(error, worst);
    if (worst <= step.tolerance) break;
  }
  return { error, count: cells.length, size };
}

/** For a gate whose gradient goes through log pi, the old log-prob moves along, so that the ratio stays what it is. */
function heldRatio(row: Recipe, rollout: Rollout, i: number, by: number): Rollout {
  const gate = gateOf(row.gate);
  if (!gate.needsRatio || gate.through === "ratio") return rollout;
  const oldLogProb_ntl = rollout.batch.oldLogProb_ntl.slice();
  oldLogProb_ntl[i]! += by;
  return { ...rollout, batch: { ...rollout.batch, oldLogProb_ntl } };
}
