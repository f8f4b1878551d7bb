import { turnBatch } from "../batch/turnBatch";
import { expectWhole } from "../base/expect";
import type { Env, Observation } from "../env/env";
import type { Rng } from "../base/rng";
import type { Batch } from "../batch/batch";
import type { History, Policy } from "./policy";

export interface ImitateOptions {
  /** Gives the turn to be learned after each history. */
  readonly teacher: (history: History, rng: Rng) => readonly number[];
  readonly episodes: number;
  /** Gradient steps, each on all episodes. */
  readonly steps: number;
  readonly learningRate: number;
  readonly rng: Rng;
}

/**
 * Teaches a policy a teacher's turns, in place: the counterpart of a language model's supervised fine-tuning before RL.
 *
 * ```
 * minimise -mean over tokens of log pi(teacher's token | context)   by plain gradient descent
 * ```
 *
 * @returns the loss before each step, nats per token
 * @throws {RangeError} if `episodes` is not a whole number >= 1
 * @example
 * import { createPolicy, createRng, imitate, make } from "turnwise";
 * const env = make("LookUp-v0");
 * const [LOOKUP, zero] = [1, 2]; // places in env.spec.vocabulary
 * const options = { episodes: 4, steps: 50, learningRate: 1, rng: createRng(1) };
 * const loss = imitate(env, createPolicy(env.spec), { teacher: () => [LOOKUP, zero], ...options });
 * loss[0]! > loss.at(-1)!; // => true
 */
export function imitate(env: Env, policy: Policy, o: ImitateOptions): number[] {
  expectWhole("imitate", "episodes", o.episodes, 1);
  const batch = shown(env, policy, o);
  const tokens = batch.mask_ntl.reduce((sum, mask) => sum + mask, 0);
  const dLogProb_ntl = Float64Array.from(batch.mask_ntl, (mask) => -mask / tokens);
  return Array.from({ length: o.steps }, () => {
    const evaluation = policy.evaluate(batch);
    const gradient = policy.backward(batch, { dLogProb_ntl }, undefined, undefined, evaluation);
    const { parameters } = policy;
    for (let i = 0; i < parameters.length; i++) parameters[i]! -= o.learningRate * gradient[i]!;
    return -evaluation.logProb_ntl.reduce((sum, x) => sum + x, 0) / tokens;
  });
}

/** The teacher's turns, one trajectory each, with the policy's own contexts. */
function shown(env: Env, policy: Policy, { teacher, episodes, rng }: ImitateOptions): Batch {
  const { maxTokens: L, maxTurns } = env.spec;
  const turns: { tokens: readonly number[]; context: unknown }[] = [];
  for (let episode = 0; episode < episodes; episode++) {
    const own = rng.split("imitate", episode);
    const observations: Observation[] = [env.reset({ seed: own.split("env").below(4294967296) })[0]];
    const actions: (readonly number[])[] = [];
    for (let over = false; !over;) {
      const history = { observations, actions };
      const tokens = teacher(history, own.split("turn", actions.length));
      turns.push({ tokens, context: policy.contextOf(history) });
      const [observation, , terminated, truncated] = env.step(tokens);
      observations.push(observation);
      actions.push(tokens);
      over = terminated || truncated || actions.length >= maxTurns;
    }
  }
  return turnBatch(
    turns.map(({ tokens }) => tokens),
    turns.map(({ context }) => context),
    turns.map(() => ""),
    L,
  );
}
