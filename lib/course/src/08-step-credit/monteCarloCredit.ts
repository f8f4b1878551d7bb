import type { Rng } from "turnwise/internal/base/rng";
import type { Env, Observation } from "turnwise/internal/env/index";
import type { Policy } from "turnwise/internal/policy/policy";
import type { Batch } from "turnwise/internal/rollout/index";

/** Value of each turn from rollouts before it and after it, and their cost. */
export interface MonteCarloCredit {
  /** Flat [N, T]; 0 after the end. */
  readonly credit_nt: Float64Array;
  /** Environment steps of all the tries; replaying the trajectories themselves is not counted. */
  readonly steps: number;
  /** Turns that the policy sampled in the tries. */
  readonly evaluations: number;
}

/**
 * A Monte Carlo process reward: from before each turn of a batch, `tries` episodes are played to the end.
 *
 * ```
 * credit_t = r_t + W_{t+1} - W_t,   W_t = mean return of the tries from before turn t, W = 0 after the end
 * ```
 *
 * @param rng the one that the batch was collected with
 * @see AgentPRM, arXiv 2502.10325 (not 2511.08325), whose targets are mean outcomes of rollouts from a turn
 * @throws {TypeError} if the world cannot be branched
 */
export function monteCarloCredit(
  env: Env,
  policy: Policy,
  batch: Batch,
  rng: Rng,
  tries: number,
): MonteCarloCredit {
  const [N, T] = batch.shape;
  const credit_nt = new Float64Array(N * T);
  let steps = 0;
  for (let n = 0; n < N; n++) {
    const [group, member] = batch.trajectoryId[n]!.split(".").map(Number) as [number, number];
    const seed = rng.split("env", group).below(4294967296);
    const observations: Observation[] = [env.reset({ seed, member })[0]];
    const actions: number[][] = [];
    const turns = batch.turnCount_n[n]!;
    for (let t = 0; t < turns; t++) {
      const played = playOn(env, policy, { observations, actions }, rng.split("tries", n, t), tries);
      steps += played.steps;
      if (t > 0) credit_nt[n * T + t - 1]! += played.mean;
      const action = tokensOf(batch, n, t);
      const [next, reward] = env.step(action);
      credit_nt[n * T + t] = reward - played.mean;
      observations.push(next);
      actions.push(action);
    }
  }
  return { credit_nt, steps, evaluations: steps };
}

function playOn(
  env: Env,
  policy: Policy,
  from: { readonly observations: readonly Observation[]; readonly actions: readonly number[][] },
  rng: Rng,
  tries: number,
): { mean: number; steps: number } {
  let total = 0;
  let steps = 0;
  for (let k = 0; k < tries; k++) {
    const copy = env.branch?.(k);
    if (copy === undefined) {
      throw new TypeError(
        `Cannot try on from a turn: the world must have branch, but ${env.spec.id} has none.`,
      );
    }
    const draws = rng.split("try", k);
    const observations = [...from.observations];
    const actions = [...from.actions];
    for (let ended = false; !ended && actions.length < env.spec.maxTurns;) {
      const [sample] = policy.sample([{ observations, actions }], [draws]);
      const [next, reward, terminated, truncated] = copy.step(sample!.tokens);
      total += reward;
      steps++;
      observations.push(next);
      actions.push([...sample!.tokens]);
      ended = terminated || truncated;
    }
  }
  return { mean: total / tries, steps };
}

function tokensOf(batch: Batch, n: number, t: number): number[] {
  const [, T, L] = batch.shape;
  const first = (n * T + t) * L;
  return Array.from({ length: L }, (_, l) => first + l)
    .filter((i) => batch.mask_ntl[i] === 1)
    .map((i) => batch.token_ntl[i]!);
}
