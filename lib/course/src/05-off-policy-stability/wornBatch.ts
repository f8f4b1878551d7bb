import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng } from "turnwise/internal/base/rng";
import type { Batch } from "turnwise/internal/batch/batch";
import { make, type Env } from "turnwise/internal/env/index";
import { enumerateReturn } from "turnwise/internal/exact/enumerateReturn";
import { toolChainPolicy } from "turnwise/internal/policy/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { advantages } from "turnwise/internal/rule/index";
import { leverRecipe } from "../shared/echoTrap/levers";
import { traps } from "../shared/echoTrap/traps";
import { estimatorErrors, type EstimatorError } from "./estimatorError";
import { ratioForms } from "./ratioForm";
import { reuseOneBatch, silencedShare, type ReuseStep } from "./reuse";

/** A batch of ToolChain-v0 after many steps on it. */
export interface WornBatch {
  readonly env: Env;
  readonly batch: Batch;
  /** The policy that sampled the batch. */
  readonly old: Policy;
  /** The policy after the steps. */
  readonly now: Policy;
  /** Measurements before each step, and after the last. */
  readonly steps: readonly ReuseStep[];
  /** Ratio of each token: the new probability over the old one. */
  readonly ratio_ntl: Float64Array;
  /** Share of the tokens, turns or trajectories that PPO's clip at .2 silences after the steps, by the name of their ratio. */
  readonly silenced: Readonly<Record<string, number>>;
}

/**
 * Takes steps of GRPO on one and the same batch of 64 trajectories, under SGD with learning rate 8.
 *
 * @example
 * import { drawTrajectory } from "turnwise";
 * import { wornBatch } from "turnwise-course/off-policy-stability";
 * const { batch, ratio_ntl } = wornBatch({ steps: 4 });
 * drawTrajectory(batch, { trajectory: 0, ratio: ratio_ntl });
 */
export function wornBatch({
  steps,
  seed = 0,
}: {
  readonly steps: number;
  readonly seed?: number;
}): WornBatch {
  const env = make("ToolChain-v0");
  const rule = leverRecipe("vanilla", { ...traps.sane, optimizer: { kind: "sgd", learningRate: 8 } });
  const old = toolChainPolicy(env.spec, { beta: 3, seed });
  const now = old.clone();
  const worn = reuseOneBatch(env, now, rule, { steps, rng: createRng(seed).split("reuse") });
  const { logProb_ntl } = now.evaluate(worn.batch);
  const ratio_ntl = logProb_ntl.map((x, i) => exp(x - worn.batch.oldLogProb_ntl[i]!));
  const { advantage_ntl } = advantages(worn.batch, rule);
  const silenced = Object.fromEntries(
    ratioForms.map((form) => [form.name, silencedShare(worn.batch, logProb_ntl, advantage_ntl, form)]),
  );
  return { env, old, now, ...worn, ratio_ntl, silenced };
}

/**
 * Error of each ratio's estimate of the gradient, for batches of the old policy and the gradient of the new one: all
 * trajectories are enumerated, so nothing is guessed.
 */
export function judgeRatios(
  { env, old, now }: Pick<WornBatch, "env" | "old" | "now">,
  { batches = 400 }: { readonly batches?: number } = {},
): readonly EstimatorError[] {
  const exact = enumerateReturn(env, now).gradient;
  const rng = createRng(1).split("judge");
  return estimatorErrors({ env, behavior: old, target: now, exact, rng, batches, equalShare: true });
}
