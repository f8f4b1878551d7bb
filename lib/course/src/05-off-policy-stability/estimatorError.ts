import { hypot } from "turnwise/internal/base/elementary/hypot";
import { square } from "turnwise/internal/base/elementary/square";
import type { Env } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect } from "turnwise/internal/rollout/collect";
import { advantages, recipe, surrogateGradient, type Recipe } from "turnwise/internal/rule/index";
import type { Rng } from "turnwise/internal/base/rng";
import { bisect } from "turnwise/internal/base/distribution";
import { dot } from "turnwise/internal/base/vectors";
import { ratioForms, type RatioForm } from "./ratioForm";

/** Error of an estimate of the policy gradient, compared with the exact gradient g. */
export interface EstimatorError {
  readonly name: string;
  /** Batches behind the figures. */
  readonly batches: number;
  /** ||E g_hat - g|| / ||g||, corrected for the noise of the mean. */
  readonly bias: number;
  /** Root of the summed variances of one batch's estimate, over ||g||. */
  readonly deviation: number;
  /** Standard error of the mean estimate, over ||g||; a bias below about twice this is not one. */
  readonly noise: number;
  /** Root of bias^2 + deviation^2. */
  readonly error: number;
  /** Cosine of the angle between E g_hat and g. */
  readonly cosine: number;
}

/** Options of the sampling of estimates. */
export interface EstimatorOptions {
  readonly env: Env;
  /** Samples the batches. */
  readonly behavior: Policy;
  /** Policy with the estimated gradient. */
  readonly target: Policy;
  /** d J / d parameters of the target, from `enumerateReturn`. */
  readonly exact: Float64Array;
  readonly rng: Rng;
  readonly batches?: number;
  readonly groups?: number;
  readonly groupSize?: number;
  /** Also judges every ratio with a clip so wide that it stops as few tokens as the turn's geometric mean at .2. */
  readonly equalShare?: boolean;
}

/**
 * The rule of an estimator: leave-one-out advantages without a scale, the given ratio, and a sum over the tokens of each
 * trajectory. On policy, every one of them estimates the gradient of J without bias.
 *
 * The product over a trajectory is the density ratio, so it is unbiased off policy as well, as long as nothing is clipped.
 */
export function estimatorRecipe(
  { level, pooling }: RatioForm,
  clipped: boolean,
  width: number = CLIP,
): Recipe {
  return recipe("loop", {
    aggregate: { kind: "constant", length: 1 },
    ratio: level === "token" ? "token" : { level, pooling },
    gate: clipped ? { kind: "clip", clipLow: Math.min(width, 0.999), clipHigh: width } : "unclipped",
  });
}

const CLIP = 0.2;

/** Ending of the names of estimators whose clip stops as many tokens as that of the turn's geometric mean. */
export const asRarely = ", clipped as rarely";

/** Share of the tokens of some batches that a rule's clip stops. */
function stoppedShare(rule: Recipe, worn: readonly WornInput[]): number {
  const stopped = worn.map((input) => {
    const { metrics } = surrogateGradient(input, rule);
    return (metrics["policy/clipFracLow"] ?? 0) + (metrics["policy/clipFracHigh"] ?? 0);
  });
  return stopped.reduce((sum, share) => sum + share, 0) / worn.length;
}

type WornInput = Parameters<typeof surrogateGradient>[0];

/** The clip of each ratio that stops as many tokens of some batches as the turn's geometric mean at .2 does. */
export function equalWidths(worn: readonly WornInput[]): ReadonlyMap<string, number> {
  const mean = ratioForms.find(({ name }) => name === "turn, geometric")!;
  const share = stoppedShare(estimatorRecipe(mean, true), worn);
  return new Map(
    ratioForms.map((form) => [
      form.name,
      bisect((width) => stoppedShare(estimatorRecipe(form, true, width), worn) <= share, 0.01, 20, 24),
    ]),
  );
}

/** Bias and spread of the estimate with every ratio, clipped and not, over batches from the behavior policy. */
export function estimatorErrors(o: EstimatorOptions): readonly EstimatorError[] {
  const { env, behavior, target, exact, rng, batches = 200, groups = 8, groupSize = 8 } = o;
  const judged = (name: string, rule: Recipe) => ({
    name,
    row: rule,
    sum: new Float64Array(exact.length),
    squares: 0,
  });
  const rows = [false, true].flatMap((clipped) =>
    ratioForms.map((form) =>
      judged(clipped ? `${form.name}, clipped` : form.name, estimatorRecipe(form, clipped)),
    ),
  );
  const wornBatch = (name: string, b: number) => {
    const batch = collect(env, behavior, { groups, groupSize, rng: rng.split(name, b) });
    const { logProb_ntl } = target.evaluate(batch);
    const { advantage_ntl } = advantages(batch, rows[0]!.row);
    const { shape, oldLogProb_ntl, mask_ntl } = batch;
    return { batch, input: { shape, logProb_ntl, oldLogProb_ntl, mask_ntl, advantage_ntl } };
  };
  if (o.equalShare === true) {
    // Other batches than those that are judged.
    const widths = equalWidths(Array.from({ length: 20 }, (_, b) => wornBatch("width", b).input));
    for (const form of ratioForms) {
      const rule = estimatorRecipe(form, true, widths.get(form.name)!);
      rows.push(judged(`${form.name}${asRarely}`, rule));
    }
  }
  for (let b = 0; b < batches; b++) {
    const { batch, input } = wornBatch("batch", b);
    for (const one of rows) {
      const { dLogProb_ntl } = surrogateGradient(input, one.row);
      const descent = target.backward(batch, { dLogProb_ntl });
      for (let i = 0; i < descent.length; i++) {
        one.sum[i]! -= descent[i]!;
        one.squares += square(descent[i]!);
      }
    }
  }
  const size = Math.sqrt(dot(exact, exact));
  return rows.map(({ name, sum, squares }) => {
    const mean = sum.map((x) => x / batches);
    const variance = ((squares / batches - dot(mean, mean)) * batches) / Math.max(1, batches - 1);
    const off = mean.map((x, i) => x - exact[i]!);
    const bias = Math.sqrt(Math.max(0, dot(off, off) - variance / batches)) / size;
    const deviation = Math.sqrt(variance) / size;
    const cosine = dot(mean, exact) / Math.sqrt(dot(mean, mean) * size * size);
    const noise = deviation / Math.sqrt(batches);
    return { name, batches, bias, deviation, noise, error: hypot(bias, deviation), cosine };
  });
}
