import type { Batch, Env, Policy, Rng } from "turnwise";
import { optimalPolicy } from "turnwise/exact";

/** The first of the largest. */
const largest = (xs: Float64Array): number => xs.reduce((best, x, i) => (x > xs[best]! ? i : best), 0);

/**
 * The trajectories of a batch that were kept, after a demonstration, by playing one episode for each trajectory: the optimum's likeliest tokens, from the
 * same start. A table's context is a text, that of a network a list of tokens.
 */
export function plainShown(
  env: Env,
  policy: Policy,
  batch: Batch,
  { kept, rollout }: { readonly kept: readonly number[]; readonly rollout: Rng },
): Batch {
  const teacher = optimalPolicy(env);
  // A table would make rows for trajectories that nobody reads.
  const [, T, L] = batch.shape;
  const mask_ntl = batch.mask_ntl.map((mask, i) => (kept.includes(Math.floor(i / (T * L))) ? mask : 0));
  const context_nt = batch.context_nt.map((own, n) => {
    const group = Number(/^\d+/.exec(batch.trajectoryId[n]!)![0]);
    const world = env.fork!()!;
    const seed = rollout.split("env", group).below(4294967296);
    const observations = [world.reset({ seed, member: 0 })[0]];
    const actions: number[][] = [];
    for (let over = false; !over && actions.length < env.spec.maxTurns;) {
      const turn: number[] = [];
      const context = teacher.contextOf({ observations, actions });
      while (turn.length < env.spec.maxTokens && turn.at(-1) !== (env.spec.endToken ?? -1))
        turn.push(largest(teacher.nextTokenLogProb(context, turn)));
      const [next, , terminated, truncated] = world.step(turn);
      observations.push(next);
      actions.push(turn);
      over = terminated || truncated;
    }
    const last = actions.length - 1;
    const before = policy.contextOf({
      observations: observations.slice(0, last + 1),
      actions: actions.slice(0, last),
    });
    return own.map((context) =>
      typeof context === "string"
        ? `${String(before)}>${actions[last]!.join(",")}|${context}`
        : [...(before as number[]), ...actions[last]!, ...(context as number[]).slice(1)],
    );
  });
  return { ...batch, mask_ntl, context_nt };
}

/**
 * Cross-entropy of what the environment answered in these trajectories, mean over its tokens, and its gradient: token by token, each
 * a turn of its own after everything before it.
 */
export function plainAnswers(
  policy: Policy,
  batch: Batch,
  rows: readonly number[],
): { crossEntropy: number; gradient: Float64Array } | undefined {
  const [, T, L] = batch.shape;
  const asked: { context: number[]; token: number }[] = [];
  for (const n of rows) {
    const contexts = batch.context_nt[n]!;
    if (!Array.isArray(contexts[0])) return undefined;
    for (let t = 0; t + 1 < contexts.length; t++) {
      const cells = Array.from({ length: L }, (_, l) => (n * T + t) * L + l);
      const turn = cells.filter((i) => batch.mask_ntl[i] === 1).map((i) => batch.token_ntl[i]!);
      const until = (contexts[t] as number[]).length + turn.length;
      const next = contexts[t + 1] as number[];
      for (let k = until; k < next.length; k++) asked.push({ context: next.slice(0, k), token: next[k]! });
    }
  }
  if (asked.length === 0) return undefined;
  let sum = 0;
  const gradient = new Float64Array(policy.parameters.length);
  for (const { context, token } of asked) {
    sum -= policy.nextTokenLogProb(context, [])[token]!;
    const one: Batch = {
      ...batch,
      shape: [1, 1, 1],
      token_ntl: Int32Array.of(token),
      mask_ntl: Uint8Array.of(1),
      turnCount_n: Int32Array.of(1),
      context_nt: [[context]],
    };
    const part = policy.backward(one, { dLogProb_ntl: Float64Array.of(-1 / asked.length) });
    part.forEach((x, j) => (gradient[j]! += x));
  }
  return { crossEntropy: sum / asked.length, gradient };
}
