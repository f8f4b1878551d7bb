import { createRng } from "../../base/rng";
import { largest } from "../../base/vectors";
import type { Recipe } from "../../rule";
import { gateOf } from "../../rule/gate";
import { covarianceOf } from "../../rule/regularizer/covariance";
import { borrowsSlope } from "../../rule/regularizer/kl";
import { penaltiesOf } from "../../rule/regularizer/penalties";
import { figure, type Finding } from "./finding";
import { HeldStops } from "./heldStops";
import type { Rollout } from "./rollout";
import { moved, perToken, samples } from "./samples";
import type { Question } from "./tokenGradient";

/** A step in double precision and its tolerance; then one that single precision resolves, as some kernels compute in it. */
const steps = [
  { size: 1e-5, tolerance: 1e-5 },
  { size: 0.02, tolerance: 0.01 },
] as const;

const check = "gradient";

/**
 * The derivatives of the loss against differences of it, entry by entry: in log-probs at ratios between e^-.6 and e^.6, in
 * entropies, and in the values of a critic.
 *
 * At a kink, such as the bound of a clip, a derivative may lie anywhere between the differences to both sides. What an own
 * function puts behind a stop-gradient is held, and so is the ratio of a gate whose gradient goes through log pi. A penalty
 * whose gradient is meant to be another than its value's is left out, and beside a held ratio one that reads a ratio itself.
 */
export function gradient(whole: Recipe): Finding {
  const rule = withoutBorrowedSlopes(whole);
  // Which tokens are part of the loss jumps with the entropies of others: there is no derivative to compare.
  const jumps = rule.regularizer.entropyShare < 1;
  let worst = 0;
  let tokens = 0;
  let pushed = 0;
  for (const { rollout } of samples) {
    const rng = createRng(1).split("gradient");
    const point = {
      logProb_ntl: moved(rollout, () => 1.2 * rng.next() - 0.6),
      advantage_ntl: perToken(rollout, () => 2 * rng.next() - 1),
      entropy_ntl: rollout.entropy_ntl,
      value_nt: rollout.value_nt.map((value) => value + 0.2 * rng.next() - 0.1),
    };
    const held = new HeldStops(rule);
    const found = held.at(rollout, point);
    const size = largest(found.dLogProb_ntl);
    pushed = Math.max(pushed, size);
    if (size === 0) continue;
    const sampled = [...point.logProb_ntl.keys()].filter((i) => rollout.batch.mask_ntl[i] === 1);
    tokens += sampled.length;
    const inputs = [
      { name: "logProb_ntl", slope: found.dLogProb_ntl, entries: sampled },
      { name: "entropy_ntl", slope: found.dEntropy_ntl, entries: jumps ? [] : touched(found.dEntropy_ntl) },
      { name: "value_nt", slope: found.dValue_nt, entries: touched(found.dValue_nt) },
    ] as const;
    for (const { name, slope, entries } of inputs) {
      const lossAt = (i: number, by: number): number => {
        const x = point[name].slice();
        x[i]! += by;
        const seen = name === "logProb_ntl" ? heldRatio(rule, rollout, i, by) : rollout;
        return held.near(seen, { ...point, [name]: x } satisfies Question).loss;
      };
      worst = Math.max(worst, errorOf(found.loss, lossAt, slope, entries));
    }
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
      : {
          hint: "A slope that does not belong to its objective, or numbers that were taken out of their tensors: x.stopGradient says that this is meant.",
        }),
    figures,
  };
}

function withoutBorrowedSlopes(rule: Recipe): Recipe {
  const { regularizer } = rule;
  const borrowed = penaltiesOf(regularizer, 1).filter(
    ({ kl, other }) =>
      borrowsSlope(kl) || (holdsRatio(rule) && (other === "old" || kl.correction !== "none")),
  );
  const off = { klReference: null, klOld: null, clippingTriggered: { kind: "off" } } as const;
  const fields = borrowed.map(({ path }) => path.slice("regularizer.".length) as keyof typeof off);
  const left = Object.fromEntries(fields.map((field) => [field, off[field]]));
  const charged = covarianceOf(regularizer.covariance).charge(regularizer.covariance) !== null;
  const covariance = holdsRatio(rule) && charged ? ({ kind: "off" } as const) : regularizer.covariance;
  return { ...rule, regularizer: { ...regularizer, ...left, covariance } };
}

/** The largest error over the given entries with the best of the steps: a right gradient fails none of them for long. */
function errorOf(
  loss: number,
  lossAt: (i: number, by: number) => number,
  slope: Float64Array,
  entries: readonly number[],
): number {
  const size = largest(slope);
  let least = entries.length === 0 ? 0 : Infinity;
  for (const step of steps) {
    const errors = entries.map((i) => {
      const forward = (lossAt(i, step.size) - loss) / step.size;
      const backward = (loss - lossAt(i, -step.size)) / step.size;
      const below = Math.min(forward, backward) - slope[i]!;
      const above = slope[i]! - Math.max(forward, backward);
      return Math.max(below, above, 0) / size;
    });
    const error = Math.max(0, ...errors);
    least = Math.min(least, Number.isNaN(error) ? Infinity : error);
    if (least <= step.tolerance) break;
  }
  return least;
}

/** All entries, or none where the loss does not go through them. */
const touched = (slope: Float64Array): number[] => [...slope.keys()].filter((i) => slope[i] !== 0);

/** For a gate whose gradient goes through log pi alone, the old log-prob moves along, so that the ratio stays what it is. */
function heldRatio(rule: Recipe, rollout: Rollout, i: number, by: number): Rollout {
  if (!holdsRatio(rule)) return rollout;
  const oldLogProb_ntl = rollout.batch.oldLogProb_ntl.slice();
  oldLogProb_ntl[i]! += by;
  return { ...rollout, batch: { ...rollout.batch, oldLogProb_ntl } };
}

function holdsRatio(rule: Recipe): boolean {
  const { needsRatio, through } = gateOf(rule.gate);
  return needsRatio && through === "logProb";
}
