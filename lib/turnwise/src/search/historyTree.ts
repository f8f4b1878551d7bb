import { log } from "../base/elementary/log";
import { power } from "../base/elementary/power";
import type { Rng } from "../base/rng";
import type { Action, Observation } from "../env/env";
import type { History } from "../policy/policy";
import type { Simulation } from "./simulator";

/** Statistics of a tree about one action after one history. */
export interface Arm {
  readonly action: Action;
  readonly visits: number;
  /** Mean of the returns from here on; 0 where it was never tried. */
  readonly value: number;
}

export interface TreeOptions {
  /** The turns that are compared after every history. */
  readonly actions: readonly Action[];
  /** c of Q + c sqrt(ln N / n), in units of reward. */
  readonly exploration: number;
  /** Plays on from the first history that is new to the tree. */
  readonly rollout: (history: History, rng: Rng) => Action;
  /** A simulation is cut off after a number of turns. */
  readonly maxTurns: number;
  /** Number of turns up to which histories are distinguished; 1 is a bandit over the next turn. Default: all. */
  readonly depth?: number;
  /**
   * Progressive widening: after N simulations through a history, ceil((N + 1)^widening) of its actions are compared, the most
   * promising first. Default: all of them, as UCT does.
   */
  readonly widening?: number;
  /**
   * Prior value of an action that was never tried after a history; the action with the highest is tried first.
   * `earlier` is its mean one turn earlier, 0 where it was not tried there. Default: a draw.
   */
  readonly promise?: (history: History, arm: number, earlier: number) => number;
}

interface Node {
  /** The observation behind which it stands. */
  readonly seen: Observation;
  visits: number;
  readonly tried: Int32Array;
  readonly sum: Float64Array;
  /** Place of an action that nobody has tried, drawn from these. */
  readonly untried: number[];
  readonly after: (Map<string, Node> | undefined)[];
}

/**
 * A tree of histories: after each, the actions that were tried, how often, and what came of them on average.
 *
 * ```
 * UCT:  argmax_a Q(h, a) + c sqrt(ln N(h) / n(h, a)),  untried actions first, or only as many as widening lets in
 * ```
 * What the agent sees decides where in the tree it is, so that one tree serves all hidden states behind a history.
 *
 * @see Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006); with histories as nodes: Silver and Veness,
 *   "Monte-Carlo planning in large POMDPs" (2010)
 */
export class HistoryTree {
  readonly #roots = new Map<string, Node>();
  /** Steps that all simulations took. */
  steps = 0;

  constructor(private readonly o: TreeOptions) {}

  /**
   * Plays one simulation to its end and keeps what came of it; gives its return.
   *
   * @param history What was seen and done before; the tree's root for it is its own.
   */
  simulate(history: History, simulation: Simulation, rng: Rng): number {
    const { rollout, maxTurns, depth = Infinity } = this.o;
    const deepest = history.actions.length + depth;
    const observations = [...history.observations];
    const actions = [...history.actions];
    let node: Node | undefined = this.#root(history);
    const path: { readonly node: Node; readonly arm: number; before: number }[] = [];
    let earned = 0;
    for (let ended = false; !ended && actions.length < maxTurns;) {
      let action: Action;
      let next: Map<string, Node> | undefined;
      if (node) {
        const arm = this.#chosen(node, path.at(-1)?.node, { observations, actions }, rng);
        action = this.o.actions[arm]!;
        next = node.after[arm] ??= new Map<string, Node>();
        path.push({ node, arm, before: earned });
      } else {
        action = rollout({ observations, actions }, rng);
      }
      const step = simulation.step(action);
      this.steps++;
      earned += step.reward;
      ended = step.ended;
      observations.push(step.observation);
      actions.push(action);
      if (!next) continue;
      const seen = keyOf(step.observation);
      node = next.get(seen);
      // The tree grows by one history a simulation: what follows is a rollout.
      if (!node && !ended && actions.length < deepest) next.set(seen, this.#node(step.observation));
    }
    for (const { node: passed, arm, before } of path) {
      passed.visits++;
      passed.tried[arm]!++;
      passed.sum[arm]! += earned - before;
    }
    return earned;
  }

  #chosen(node: Node, before: Node | undefined, history: History, rng: Rng): number {
    const { exploration, widening, promise } = this.o;
    const { untried, tried, visits } = node;
    const wide = widening === undefined ? tried.length : power(visits + 1, widening);
    if (untried.length > 0 && tried.length - untried.length < wide) {
      // A draw first, so that equal promises are tried in any order.
      let place = rng.below(untried.length);
      if (promise) {
        const of = (arm: number): number => promise(history, arm, before ? meanOf(before, arm) : 0);
        let most = of(untried[place]!);
        untried.forEach((arm, k) => {
          const found = of(arm);
          if (found > most) [place, most] = [k, found];
        });
      }
      return untried.splice(place, 1)[0]!;
    }
    return highestBound(node, exploration);
  }

  /** Statistics of each action after a history; undefined if the tree has not been there. */
  arms(history: History): readonly Arm[] | undefined {
    const node = this.#at(history);
    return (
      node &&
      this.o.actions.map((action, a) => {
        const visits = node.tried[a]!;
        return { action, visits, value: visits === 0 ? 0 : node.sum[a]! / visits };
      })
    );
  }

  /** The observations that have followed an action after a history, where the episode went on. */
  seenAfter(history: History, action: Action): readonly Observation[] {
    const arm = this.o.actions.findIndex((other) => other.join() === action.join());
    return [...(this.#at(history)?.after[arm]?.values() ?? [])].map(({ seen }) => seen);
  }

  #at({ observations, actions }: History): Node | undefined {
    let node = this.#roots.get(keyOf(observations[0]!));
    for (let t = 0; node && t < actions.length; t++) {
      const arm = this.o.actions.findIndex((action) => action.join() === actions[t]!.join());
      node = node.after[arm]?.get(keyOf(observations[t + 1]!));
    }
    return node;
  }

  /** The node of a history; a search that begins in the middle of an episode has its root there. */
  #root(history: History): Node {
    const known = this.#at(history);
    if (known) return known;
    const node = this.#node(history.observations.at(-1)!);
    if (history.actions.length === 0) {
      this.#roots.set(keyOf(history.observations[0]!), node);
      return node;
    }
    const { observations, actions } = history;
    const before = { observations: observations.slice(0, -1), actions: actions.slice(0, -1) };
    const parent = this.#root(before);
    const arm = this.o.actions.findIndex((action) => action.join() === actions.at(-1)!.join());
    if (arm === -1) {
      throw new RangeError(
        `Cannot search: every turn so far must be one of the search's actions, got ${JSON.stringify(actions.at(-1))}.`,
      );
    }
    (parent.after[arm] ??= new Map<string, Node>()).set(keyOf(observations.at(-1)!), node);
    return node;
  }

  #node(seen: Observation): Node {
    const { length } = this.o.actions;
    return {
      seen,
      visits: 0,
      tried: new Int32Array(length),
      sum: new Float64Array(length),
      untried: Array.from({ length }, (_, a) => a),
      after: [],
    };
  }
}

const meanOf = ({ tried, sum }: Node, arm: number): number =>
  tried[arm] === 0 ? 0 : sum[arm]! / tried[arm]!;

/** Key of the observations that the agent can distinguish. */
const keyOf = ({ tokens }: Observation): string => tokens.join();

function highestBound({ visits, tried, sum }: Node, exploration: number): number {
  const logN = log(visits);
  let best = 0;
  let most = -Infinity;
  for (let a = 0; a < tried.length; a++) {
    const n = tried[a]!;
    if (n === 0) continue;
    const bound = sum[a]! / n + exploration * Math.sqrt(logN / n);
    if (bound > most) [best, most] = [a, bound];
  }
  return best;
}

/** The arm that was tried most; of several, the one with the highest mean. */
export function mostTried(arms: readonly Arm[]): Arm {
  return arms.reduce((best, arm) =>
    arm.visits > best.visits || (arm.visits === best.visits && arm.value > best.value) ? arm : best,
  );
}
