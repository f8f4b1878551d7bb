import { createRng, type Rng } from "turnwise/internal/base/rng";
import { unwrapped, type Env } from "turnwise/internal/env/index";
import { createPolicy } from "turnwise/internal/policy/index";
import type { Policy } from "turnwise/internal/policy/policy";
import {
  demonstrationBatch,
  demonstrations,
  type Demonstration,
} from "turnwise/internal/train/imitate/demonstrations";
import { createOptimizer } from "turnwise/internal/train/optimizer";

const STEPS = 300;
const EPISODES = 32;

/**
 * An MLP that knows the format of calls and nothing of the task: it has learned to call any tool of the world, each as
 * likely.
 *
 * With `follows`, it has also learned to follow a demonstration: after the transcript of another random episode, it writes the
 * turn that the transcript has at its place. Such episodes show any calls, and the facts of the two differ, so this
 * teaches nothing of the task either. It stands for a language model's learning in context.
 */
export function knowsFormat(env: Env, seed: number, follows: boolean): Policy {
  const policy = createPolicy(env.spec, { kind: "mlp", width: 32, window: 20, seed, compute: "wasm" });
  const key = JSON.stringify([env.spec.id, env.spec.options, env.spec.vocabulary.length, seed, follows]);
  const taught = known.get(key) ?? taughtBy(env, policy, seed, follows);
  known.set(key, taught);
  policy.parameters.set(taught);
  return policy;
}

/** Parameters of the policies that were taught before: the arms of a seed begin alike. */
const known = new Map<string, Float64Array>();

function taughtBy(env: Env, policy: Policy, seed: number, follows: boolean): Float64Array {
  const optimizer = createOptimizer({ kind: "adam", learningRate: 0.01 });
  const rng = createRng(seed).split("knowsFormat");
  for (let step = 0; step < STEPS; step++) {
    const shown: Demonstration[] = [];
    for (let k = 0; k < EPISODES; k++) {
      const own = randomEpisode(env, policy, rng.split("own", step, k));
      shown.push(...own);
      if (follows) shown.push(...following(randomEpisode(env, policy, rng.split("other", step, k)), own));
    }
    const batch = demonstrationBatch(shown, env.spec.maxTokens);
    const tokens = batch.mask_ntl.reduce((sum, mask) => sum + mask, 0);
    const dLogProb_ntl = Float64Array.from(batch.mask_ntl, (mask) => -mask / tokens);
    optimizer.step(policy.parameters, policy.backward(batch, { dLogProb_ntl }));
  }
  return policy.parameters.slice();
}

/** An episode of random calls of the world's tools, each as likely: each turn, after the tokens before it. */
export function randomEpisode(env: Env, policy: Policy, rng: Rng): Demonstration[] {
  return demonstrations(env, policy, { teacher: (_, own) => randomCall(env, own), episodes: 1, rng });
}

/** A tool of the world with any argument that it takes, and any word of the agent's where it reads none. */
function randomCall(env: Env, rng: Rng): number[] {
  const { tools = [], vocabulary } = env.spec;
  const own = unwrapped(env).spec.vocabulary;
  const {
    name,
    parameters,
    turn = [name, ...parameters.map((one) => ({ parameter: one.name }))],
  } = tools[rng.below(tools.length)]!;
  return turn.map((part) => {
    if (typeof part === "string") return vocabulary.indexOf(part);
    if ("filler" in part) return rng.below(own.length);
    const { values } = parameters.find((one) => one.name === part.parameter)!;
    return vocabulary.indexOf(values[rng.below(values.length)]!);
  });
}

/** The turns of a demonstration in the places of another episode, which goes its own way. */
export function following(shown: readonly Demonstration[], own: readonly Demonstration[]): Demonstration[] {
  const last = shown.at(-1)!;
  const transcript = [...(last.context as number[]), ...last.tokens];
  return own.slice(0, shown.length).map(({ context }, t) => ({
    tokens: shown[t]!.tokens,
    context: [...transcript, ...(context as number[]).slice(1)],
  }));
}
