import { exp } from "../base/elementary/exp";
import type { Batch } from "../batch/batch";
import type { Env, EnumerableEnv, Info, Observation } from "../env/env";
import { expectEnumerable } from "../exact/enumerateReturn";
import { enumerateTurns } from "../exact/turns";
import { contextKey, type Policy } from "../policy/policy";
import { turnMarkers } from "../rollout/turnMarkers";

/** Larger worlds are refused: each step of each row evaluates every trajectory. */
const MAX_TRAJECTORIES = 20_000;

/** Every trajectory of a world that a policy can take, as one batch, and what chance contributes to each. */
export interface Trajectories {
  /** A row for each; trajectories that no rule can tell apart are one row. `oldLogProb_ntl` is that of the policy given. */
  readonly batch: Batch;
  /** Probability of start and outcomes, without the policy. */
  readonly chance_n: Float64Array;
  /** Index of the task: the start that the members of a group share. */
  readonly task_n: Int32Array;
  /** P(task). */
  readonly taskProbability: Float64Array;
}

interface Path {
  readonly task: number;
  chance: number;
  readonly tokens: readonly (readonly number[])[];
  readonly rewards: readonly number[];
  readonly observations: readonly Observation[];
  readonly contexts: readonly unknown[];
  readonly infos: readonly Info[];
  readonly truncated: boolean;
}

/**
 * Lists the trajectories of a world; those that differ in nothing but the hidden state are merged.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if there are more than twenty thousand
 */
export function trajectoriesOf(env: Env, policy: Policy): Trajectories {
  const world = expectEnumerable(env);
  const paths = new Map<string, Path>();
  const starts = world.start();
  const tasks = [...new Set(starts.map((start, i) => start.taskId ?? String(i)))];
  const taskProbability = new Float64Array(tasks.length);
  starts.forEach((start, i) => {
    const task = tasks.indexOf(start.taskId ?? String(i));
    taskProbability[task]! += start.probability;
    walk(world, policy, paths, start.state, {
      task,
      chance: start.probability,
      tokens: [],
      rewards: [],
      observations: [start.observation],
      contexts: [],
      infos: [],
      truncated: false,
    });
  });
  const list = [...paths.values()];
  const batch = toBatch(env, list);
  policy.evaluate(batch).logProb_ntl.forEach((x, i) => (batch.oldLogProb_ntl[i] = x));
  return {
    batch,
    chance_n: Float64Array.from(list, ({ chance }) => chance),
    task_n: Int32Array.from(list, ({ task }) => task),
    taskProbability,
  };
}

function walk(
  world: EnumerableEnv,
  policy: Policy,
  paths: Map<string, Path>,
  state: unknown,
  path: Path,
): void {
  const { spec } = world;
  const context = policy.contextOf({ observations: path.observations, actions: path.tokens });
  for (const { tokens } of enumerateTurns(spec, policy, context)) {
    for (const outcome of world.transition(state, tokens)) {
      if (outcome.probability === 0) continue;
      const turns = path.tokens.length + 1;
      const ends = outcome.terminated || turns === spec.maxTurns;
      const next: Path = {
        task: path.task,
        chance: path.chance * outcome.probability,
        tokens: [...path.tokens, tokens],
        rewards: [...path.rewards, outcome.reward],
        observations: ends ? path.observations : [...path.observations, outcome.observation],
        contexts: [...path.contexts, context],
        infos: [...path.infos, outcome.info ?? {}],
        truncated: !outcome.terminated,
      };
      if (ends) add(world, paths, next);
      else walk(world, policy, paths, outcome.state, next);
    }
  }
}

function add(world: EnumerableEnv, paths: Map<string, Path>, path: Path): void {
  const { task, tokens, rewards, contexts, observations, truncated } = path;
  const key = JSON.stringify([
    task,
    tokens,
    rewards,
    contexts,
    observations.map(({ text }) => text),
    truncated,
  ]);
  const known = paths.get(key);
  if (known) known.chance += path.chance;
  else paths.set(key, path);
  if (paths.size > MAX_TRAJECTORIES) {
    throw new RangeError(
      `Cannot make a report card on ${world.spec.id}: its trajectories must be at most ${MAX_TRAJECTORIES}. ` +
        "Shorten its episodes or its turns.",
    );
  }
}

function toBatch(env: Env, paths: readonly Path[]): Batch {
  const { maxTurns: T, maxTokens: L } = env.spec;
  const N = paths.length;
  const token_ntl = new Int32Array(N * T * L);
  const mask_ntl = new Uint8Array(N * T * L);
  const reward_nt = new Float64Array(N * T);
  paths.forEach(({ tokens, rewards }, n) => {
    tokens.forEach((turn, t) => {
      token_ntl.set(turn, (n * T + t) * L);
      mask_ntl.fill(1, (n * T + t) * L, (n * T + t) * L + turn.length);
      reward_nt[n * T + t] = rewards[t]!;
    });
  });
  return {
    shape: [N, T, L],
    token_ntl,
    mask_ntl,
    oldLogProb_ntl: new Float64Array(N * T * L),
    reward_nt,
    return_n: Float64Array.from(paths, ({ rewards }) => rewards.reduce((sum, r) => sum + r, 0)),
    turnCount_n: Int32Array.from(paths, ({ tokens }) => tokens.length),
    trajectoryId: paths.map((_, n) => String(n)),
    groupId: paths.map(({ task }) => String(task)),
    observation_nt: paths.map(({ observations }) => observations.map(({ text }) => text)),
    context_nt: paths.map(({ contexts }) => contexts),
    truncated: paths.map(({ truncated }) => truncated),
    info_nt: paths.map(({ infos }) => infos),
    ...turnMarkers(env.spec, paths),
  };
}

/** P(trajectory) under log-probs [N, T, L] of all trajectories. */
export function probabilities(
  { batch, chance_n }: Trajectories,
  logProb_ntl: ArrayLike<number>,
): Float64Array {
  const [, T, L] = batch.shape;
  return chance_n.map((chance, n) => {
    let sum = 0;
    for (let i = n * T * L; i < (n + 1) * T * L; i++) sum += logProb_ntl[i]!;
    return chance * exp(sum);
  });
}

/** J of the policy as it is: the sum over trajectories of P R. */
export function expectedReturn(all: Trajectories, policy: Policy): number {
  const p_n = probabilities(all, policy.evaluate(all.batch).logProb_ntl);
  return p_n.reduce((sum, p, n) => sum + p * all.batch.return_n[n]!, 0);
}

/** J of the policy as it is, and its gradient: the sum over trajectories of P R grad log P. */
export function exactGradient(all: Trajectories, policy: Policy): { J: number; gradient: Float64Array } {
  const { batch } = all;
  const p_n = probabilities(all, policy.evaluate(batch).logProb_ntl);
  const J = p_n.reduce((sum, p, n) => sum + p * batch.return_n[n]!, 0);
  // Subtracting J changes nothing, as the probabilities sum to 1, and keeps the sums small.
  return {
    J,
    gradient: scoreSum(
      batch,
      policy,
      p_n.map((p, n) => p * (batch.return_n[n]! - J)),
    ),
  };
}

/**
 * Applies plain policy gradients with a leave-one-out baseline to batches that another policy sampled: to one batch,
 * and on average over all of them, which is known exactly.
 *
 *   c = 1/N sum_n (R_n - mean of the others) grad log pi(tau_n),   E c = sum_n p_n (R_n - V(task)) grad log pi(tau_n)
 */
export function controlOf(
  all: Trajectories,
  policy: Policy,
  p_n: Float64Array,
): { readonly mean: Float64Array; of(batch: Batch, groupSize: number): Float64Array } {
  const { batch, task_n, taskProbability } = all;
  const value_k = new Float64Array(taskProbability.length);
  task_n.forEach((task, n) => (value_k[task]! += (p_n[n]! * batch.return_n[n]!) / taskProbability[task]!));
  const mean = scoreSum(
    batch,
    policy,
    p_n.map((p, n) => p * (batch.return_n[n]! - value_k[task_n[n]!]!)),
  );
  return {
    mean,
    of(drawn, groupSize) {
      const N = drawn.shape[0];
      const weight_n = new Float64Array(N);
      for (let first = 0; first < N; first += groupSize) {
        let sum = 0;
        for (let n = first; n < first + groupSize; n++) sum += drawn.return_n[n]!;
        for (let n = first; n < first + groupSize; n++) {
          const own = drawn.return_n[n]!;
          weight_n[n] = groupSize === 1 ? own / N : (own - (sum - own) / (groupSize - 1)) / N;
        }
      }
      return scoreSum(drawn, policy, weight_n);
    },
  };
}

/** The sum over the cells of a batch of weight x grad log pi; `weight_n` is for whole trajectories. */
export function scoreSum(batch: Batch, policy: Policy, weight_n: ArrayLike<number>): Float64Array {
  const [, T, L] = batch.shape;
  const dLogProb_ntl = new Float64Array(batch.mask_ntl.length);
  for (let i = 0; i < dLogProb_ntl.length; i++) {
    if (batch.mask_ntl[i] === 1) dLogProb_ntl[i] = weight_n[Math.floor(i / (T * L))]!;
  }
  return policy.backward(batch, { dLogProb_ntl });
}

/** V of every context at its turn, by key: the expected rewards from there on, under probabilities of the trajectories. */
export function contextValues({ batch }: Trajectories, p_n: Float64Array): Map<string, number> {
  const [N, T] = batch.shape;
  const mass = new Map<string, number>();
  const value = new Map<string, number>();
  for (let n = 0; n < N; n++) {
    let toGo = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      toGo += batch.reward_nt[n * T + t]!;
      const key = placeOf(batch, n, t);
      mass.set(key, (mass.get(key) ?? 0) + p_n[n]!);
      value.set(key, (value.get(key) ?? 0) + p_n[n]! * toGo);
    }
  }
  return new Map([...value].map(([key, sum]) => [key, mass.get(key) === 0 ? 0 : sum / mass.get(key)!]));
}

/** Turn and context of a cell, as a key of `contextValues`. */
export function placeOf(batch: Batch, n: number, t: number): string {
  return `${t}/${contextKey(batch.context_nt[n]![t])}`;
}
