import { exp } from "turnwise/internal/base/elementary/exp";
import type { Env } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect } from "turnwise/internal/rollout/collect";
import type { Batch } from "turnwise/internal/batch/batch";
import { advantages, surrogateGradient, type Recipe } from "turnwise/internal/rule/index";
import type { Rng } from "turnwise/internal/base/rng";
import { createOptimizer, globalNorm } from "turnwise/internal/train/optimizer";
import { spreadOf, type RatioSpread } from "./randomWalk";
import { pooledLogRatio, ratioForms, type RatioForm } from "./ratioForm";

/** State of a batch after some steps on it. */
export interface ReuseStep {
  /** Steps taken on the batch. */
  readonly step: number;
  /** Spread of every ratio over its units (tokens, turns, trajectories), by name. */
  readonly spread: Readonly<Record<string, RatioSpread>>;
  readonly gradNorm: number;
  /** Norm of the gradient that the clip took away: C in SORL. */
  readonly clipBiasNorm: number;
  /** Share of tokens whose gradient the clip took away. */
  readonly clipFraction: number;
}

/**
 * Takes steps on one batch, each on all of it, and measures before each how far the batch is off policy; before step 0 it is
 * on policy. Changes the policy in place.
 */
export function reuseOneBatch(
  env: Env,
  policy: Policy,
  recipe: Recipe,
  { steps, rng, groups = 8, groupSize = 8 }: { steps: number; rng: Rng; groups?: number; groupSize?: number },
): { readonly batch: Batch; readonly steps: readonly ReuseStep[] } {
  const batch = collect(env, policy, { groups, groupSize, rng });
  const { advantage_ntl } = advantages(batch, recipe);
  const optimizer = createOptimizer(recipe.update.optimizer);
  // The clipped-out gradient is reported whether or not the rule uses it.
  const measuring: Recipe = {
    ...recipe,
    regularizer: { ...recipe.regularizer, clippingTriggered: { kind: "gradNorm", floor: 1 } },
  };
  const measured: ReuseStep[] = [];
  for (let step = 0; step <= steps; step++) {
    const { logProb_ntl, entropy_ntl } = policy.evaluate(batch);
    const { shape, oldLogProb_ntl, mask_ntl } = batch;
    const input = { shape, logProb_ntl, entropy_ntl, oldLogProb_ntl, mask_ntl, advantage_ntl };
    const surrogate = surrogateGradient(input, measuring);
    const gradient = policy.backward(batch, { dLogProb_ntl: surrogate.dLogProb_ntl });
    const bias = policy.backward(batch, { dLogProb_ntl: surrogate.dClipBias_ntl! });
    const { metrics } = surrogate;
    measured.push({
      step,
      spread: Object.fromEntries(
        ratioForms.map((form) => [form.name, spreadOf(logRatios(batch, logProb_ntl, form))]),
      ),
      gradNorm: globalNorm(gradient),
      clipBiasNorm: globalNorm(bias),
      clipFraction: (metrics["policy/clipFracLow"] ?? 0) + (metrics["policy/clipFracHigh"] ?? 0),
    });
    if (step < steps) optimizer.step(policy.parameters, gradient);
  }
  return { batch, steps: measured };
}

/** Log-ratio of every token, turn or trajectory of a batch, against its stored log-probs. */
export function logRatios(batch: Batch, logProb_ntl: Float64Array, { level, pooling }: RatioForm): number[] {
  return unitsOf(batch, level).map((unit) =>
    pooledLogRatio(
      unit.map((i) => logProb_ntl[i]! - batch.oldLogProb_ntl[i]!),
      pooling,
    ),
  );
}

/**
 * Share of the units that PPO's clip silences: their ratio is out of range on the side to which their advantage pushes. The others that
 * are out push back.
 */
export function silencedShare(
  batch: Batch,
  logProb_ntl: Float64Array,
  advantage_ntl: Float64Array,
  form: RatioForm,
  clip = 0.2,
): number {
  const units = unitsOf(batch, form.level);
  const ratios = logRatios(batch, logProb_ntl, form).map(exp);
  const silent = units.filter(([token], i) => {
    const advantage = advantage_ntl[token!]!;
    return advantage > 0 ? ratios[i]! > 1 + clip : advantage < 0 && ratios[i]! < 1 - clip;
  });
  return silent.length / units.length;
}

/** The sampled tokens of every unit that has some, by their places in the batch's flat arrays. */
function unitsOf(batch: Batch, level: RatioForm["level"]): number[][] {
  const [N, T, L] = batch.shape;
  const size = level === "token" ? 1 : level === "turn" ? L : T * L;
  return Array.from({ length: (N * T * L) / size }, (_, unit) =>
    Array.from({ length: size }, (_, k) => unit * size + k).filter((i) => batch.mask_ntl[i] === 1),
  ).filter((unit) => unit.length > 0);
}
