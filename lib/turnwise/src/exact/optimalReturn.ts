import type { Action, Env, EnumerableEnv, Observation } from "../env/env";
import type { History } from "../policy/policy";
import { expectEnumerable } from "./enumerateReturn";
import { allTurns } from "./turns";

/** The best that any policy can get. */
export interface Optimum {
  /** The best expected undiscounted return of any policy that sees only observations and its own turns. */
  readonly J: number;
  /** Whether several agents share the world, and J is what they would get if each saw what all see. */
  readonly fullInformation: boolean;
  /** Number of information states that were solved. */
  readonly beliefs: number;
  /**
   * A best turn after a history.
   *
   * @throws {RangeError} if the history cannot happen
   */
  act(history: History): Action;
}

/** The hidden states that agree with what was seen, by key, each with its probability. */
export type Belief = Map<string, { state: unknown; probability: number }>;

interface Solved {
  readonly value: number;
  readonly action: Action;
}

/**
 * The exact optimum under partial observation, by dynamic programming over information states.
 *
 *   V(b) = max_a sum_s b(s) sum_outcomes p (r + [not terminated] V(b' | a, observation))
 *
 * The maximum is over actions given the belief b, never given the hidden state. Rewards are not observed.
 *
 * Of a world with several agents (`spec.agents`), this is the optimum of one agent that sees what each of them sees; `fullInformation`
 * says so. Agents that see less may not reach it.
 *
 * Where the environment bounds the return of a state, two short cuts save work and change no value: a state whose bounds are
 * equal counts with that number and leaves the belief, and the first action that reaches a belief's upper bound is best.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if there are more than `maxBeliefs` information states
 * @example
 * import { make, optimalReturn } from "turnwise";
 * optimalReturn(make("LookUp-v0")).J; // => 1
 * @see Kaelbling, Littman, Cassandra, "Planning and acting in partially observable stochastic domains" (1998), section 3
 */
export function optimalReturn(env: Env, o: { maxBeliefs?: number } = {}): Optimum {
  const enumerable = expectEnumerable(env);
  const solver = new Solver(enumerable, o.maxBeliefs ?? 100_000);
  const starts = new Map<string, Belief>();
  for (const { observation, state, probability } of enumerable.start()) {
    put(starts, JSON.stringify(observation), state, probability);
  }
  let J = 0;
  for (const belief of starts.values()) J += solver.value(belief, 0);
  return {
    J,
    fullInformation: (env.spec.agents?.length ?? 1) > 1,
    get beliefs() {
      return solver.size;
    },
    act(history) {
      let belief = starts.get(JSON.stringify(history.observations[0]));
      for (let t = 0; belief && t < history.actions.length; t++) {
        const key = JSON.stringify(history.observations[t + 1]);
        belief = successors(enumerable, normalized(belief), history.actions[t]!).next.get(key);
      }
      if (!belief) {
        throw new RangeError(
          `Cannot act in ${env.spec.id}: the history must be possible, but no hidden state agrees with it.`,
        );
      }
      return solver.action(belief, history.actions.length);
    },
  };
}

/** An action counts as better only if it is better by more than this. */
export const ROUND_OFF = 1e-12;

/** Values of beliefs, each solved once. */
export class Solver {
  readonly #env: EnumerableEnv;
  readonly #maxBeliefs: number;
  readonly #actions: readonly Action[];
  readonly #solved = new Map<string, Solved>();

  constructor(env: EnumerableEnv, maxBeliefs: number) {
    this.#env = env;
    this.#maxBeliefs = maxBeliefs;
    this.#actions = env.actionClasses?.()?.map(({ action }) => action) ?? allTurns(env.spec);
  }

  get size(): number {
    return this.#solved.size;
  }

  /** The best expected return of a belief, which need not be normalized, times its mass. */
  value(belief: Belief, turn: number): number {
    const { open, settled } = this.#split(belief);
    return open.size === 0 ? settled : settled + mass(open) * this.#solve(normalized(open), turn).value;
  }

  action(belief: Belief, turn: number): Action {
    const { open } = this.#split(belief);
    return open.size === 0 ? this.#actions[0]! : this.#solve(normalized(open), turn).action;
  }

  /** The states in which actions still matter, and the return of the others. */
  #split(belief: Belief): { open: Belief; settled: number } {
    let settled = 0;
    const open: Belief = new Map();
    for (const [key, one] of belief) {
      const bounds = this.#env.returnBounds?.(one.state);
      if (bounds && bounds.least === bounds.most) settled += one.probability * bounds.most;
      else open.set(key, one);
    }
    return { open, settled };
  }

  #ceiling(belief: Belief): number {
    let most = 0;
    for (const { state, probability } of belief.values()) {
      most += probability * (this.#env.returnBounds?.(state)?.most ?? Infinity);
    }
    return most;
  }

  #solve(belief: Belief, turn: number): Solved {
    const key = `${turn}/${beliefKey(belief)}`;
    const known = this.#solved.get(key);
    if (known) return known;
    if (this.#solved.size >= this.#maxBeliefs) {
      throw new RangeError(
        `Cannot solve ${this.#env.spec.id}: it must have at most ${this.#maxBeliefs} information states.`,
      );
    }
    const ceiling = this.#ceiling(belief);
    let best: Solved | undefined;
    for (const action of this.#actions) {
      const value = this.actionValue(belief, action, turn);
      if (!best || value > best.value + ROUND_OFF) best = { value, action };
      if (best.value >= ceiling - ROUND_OFF) break;
    }
    this.#solved.set(key, best!);
    return best!;
  }

  /** Value of an action in a normalized belief if all later actions are best. */
  actionValue(belief: Belief, action: Action, turn: number): number {
    const { reward, next } = successors(this.#env, belief, action);
    if (turn + 1 >= this.#env.spec.maxTurns) return reward;
    let value = reward;
    for (const after of next.values()) value += this.value(after, turn + 1);
    return value;
  }
}

/** The expected reward of an action, and the unnormalized belief after each observation. */
export function successors(
  env: EnumerableEnv,
  belief: Belief,
  action: Action,
): { reward: number; next: Map<string, Belief> } {
  let reward = 0;
  const next = new Map<string, Belief>();
  for (const { state, probability } of belief.values()) {
    for (const outcome of env.transition(state, action)) {
      reward += probability * outcome.probability * outcome.reward;
      if (outcome.terminated) continue;
      put(next, observationKey(outcome.observation), outcome.state, probability * outcome.probability);
    }
  }
  return { reward, next };
}

/** An observation as a key of beliefs. */
export function observationKey(observation: Observation): string {
  return JSON.stringify(observation);
}

/** Adds a hidden state to the belief of an observation. */
export function put(
  beliefs: Map<string, Belief>,
  observation: string,
  state: unknown,
  probability: number,
): void {
  let belief = beliefs.get(observation);
  if (!belief) beliefs.set(observation, (belief = new Map()));
  const key = JSON.stringify(state);
  const known = belief.get(key);
  if (known) known.probability += probability;
  else belief.set(key, { state, probability });
}

function mass(belief: Belief): number {
  let total = 0;
  for (const { probability } of belief.values()) total += probability;
  return total;
}

/** The same belief with mass 1. */
export function normalized(belief: Belief): Belief {
  const total = mass(belief);
  return new Map(
    [...belief].map(([key, { state, probability }]) => [key, { state, probability: probability / total }]),
  );
}

/** A key that beliefs share if they differ only by round-off. */
function beliefKey(belief: Belief): string {
  return [...belief]
    .map(([key, { probability }]) => `${key}=${probability.toFixed(12)}`)
    .sort()
    .join(" ");
}
