import { optimalPolicy } from "../exact/optimalPolicy";
import { paysAgreementAlone } from "../train/distil/teacher";
import { hypot } from "../base/elementary/hypot";
import { createRng } from "../base/rng";
import { createPolicy, type PolicyOptions } from "../policy";
import type { Env, EnvSpec } from "../env/env";
import type { Policy } from "../policy/policy";
import { withMismatch } from "../rollout/mismatch";
import { recipeNeeds, type Recipe } from "../rule";
import { kept, rowUpdate, samplesAgain, withCritic } from "./rowUpdate";
import type { Effort, Setting } from "./settings";
import type { CardWorld } from "./worlds";
import { Tally, type Figure, type FigureName, type Truth } from "./tally";
import { countGroups, drawnBatch, everyGroup, sampledDraws } from "./draws";
import {
  contextValues,
  controlOf,
  exactGradient,
  expectedReturn,
  probabilities,
  trajectoriesOf,
} from "./trajectories";

/** Figures of all rules at one setting with one policy, on the same batches. */
export interface Measured {
  readonly exact: boolean;
  /** Groups that were enumerated, or batches that were sampled. */
  readonly batches: number;
  readonly figures: readonly Record<FigureName, Figure>[];
}

/** Measures rules at a setting with the policy of a seed. */
export function* measure(
  rows: readonly Recipe[],
  { world, horizon, groups, groupSize, staleness, mismatch }: Setting,
  seed: number,
  { batches, enumerate, step }: Effort,
): Generator<void, Measured, undefined> {
  const env = world.env(horizon);
  const policy = policyOf(world, env, seed);
  const all = trajectoriesOf(env, policy);
  const p_n = probabilities(all, all.batch.oldLogProb_ntl);
  const values = contextValues(all, p_n);
  for (let k = 0; k < staleness; k++) climb(policy, exactGradient(all, policy).gradient, step);
  const parameters = policy.parameters.slice();
  const { J, gradient } = exactGradient(all, policy);
  const control = controlOf(all, policy, p_n);
  climb(policy, gradient, step);
  const truth: Truth = { J, gradient, gain: expectedReturn(all, policy) - J, control: control.mean };
  const returnOf = (moved: Float64Array | null): number => {
    if (moved === null) return J;
    policy.parameters.set(moved);
    return expectedReturn(all, policy);
  };

  const exact = groups === 1 && mismatch === 0 && countGroups(all, groupSize) <= enumerate;
  const rng = createRng(seed).split("reportCard");
  const draws = exact
    ? everyGroup(all, p_n, groupSize)
    : sampledDraws(all, p_n, { count: batches, groups, groupSize, rng });
  const critic = withCritic(policy, values);
  const start = referenceOf(env.spec, policy, world.policy);
  const benches = rows.map((rule) => ({
    env,
    policy: recipeNeeds(rule).value ? critic : policy,
    parameters,
    // A rule that pays no task reward learns from a teacher, and a demonstration is played by one.
    reference: paysAgreementAlone(rule) || recipeNeeds(rule).shown ? optimalPolicy(env) : start,
  }));
  const tallies = rows.map(() => new Tally(truth, exact));
  for (const [b, { members, weight }] of draws.entries()) {
    const drawn = drawnBatch(all, members);
    policy.parameters.set(parameters);
    const luck = exact ? undefined : control.of(drawn, groupSize);
    const batch = withMismatch(drawn, mismatch, rng.split("mismatch", b));
    for (const [r, rule] of rows.entries()) {
      const rest = kept(batch, rule);
      if (rest === null) {
        if (!samplesAgain(rule)) tallies[r]!.addNothing(weight, luck);
        continue;
      }
      const { direction, equalStep, ownStep } = rowUpdate(
        benches[r]!,
        rule,
        rest,
        step,
        rng.split("update", b),
      );
      const moved = { direction, equalJ: returnOf(equalStep), ownJ: returnOf(ownStep) };
      tallies[r]!.add(weight, moved, luck);
    }
    yield;
  }
  return { exact, batches: draws.length, figures: tallies.map((tally) => tally.figures()) };
}

/** Moves a policy uphill by a step of a given length. */
function climb({ parameters }: Policy, gradient: Float64Array, length: number): void {
  const norm = hypot(...gradient);
  if (norm === 0) return;
  for (let i = 0; i < gradient.length; i++) parameters[i]! += (length / norm) * gradient[i]!;
}

function policyOf({ policy }: CardWorld, env: Env, seed: number): Policy {
  if (typeof policy === "function") return policy(env, { seed, valueHead: false });
  return createPolicy(env.spec, { ...policy, seed });
}

/** Policy that a divergence is measured from: a table before its logits were drawn; of other policies, the policy itself. */
function referenceOf(spec: EnvSpec, policy: Policy, options: CardWorld["policy"]): Policy {
  if (typeof options === "function") return policy.clone();
  const table = options.kind === undefined || options.kind === "tabular" || options.kind === "logLinear";
  return table ? createPolicy(spec, { ...options, initialScale: 0 } as PolicyOptions) : policy.clone();
}
