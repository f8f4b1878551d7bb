import { expectWhole } from "../base/expect";
import type { Rng } from "../base/rng";
import { allTurns } from "../env/allTurns";
import { isEnumerable, type Action, type Env } from "../env/env";
import type { History, Policy } from "../policy/policy";
import { HistoryTree, mostTried, type Arm } from "./historyTree";
import type { Simulator } from "./simulator";

/** Options of a search. */
export interface SearchOptions {
  readonly simulator: Simulator;
  /** Simulated steps for each decision: no simulation begins once they are spent, and the last one is played to its end. */
  readonly budget: number;
  /** c of Q + c sqrt(ln N / n), in units of reward; sqrt(2) is UCB1's for rewards in [0, 1]. */
  readonly exploration?: number;
  /** Policy that plays a simulation to its end; by default all actions are equally likely. */
  readonly rollout?: Policy;
  /** The turns that are compared; by default one of each class that the world names, or all turns. */
  readonly actions?: readonly Action[];
}

/** Decision of a search, with its reasons. */
export interface Decision {
  readonly action: Action;
  readonly arms: readonly Arm[];
  /** Simulated steps that it took. */
  readonly steps: number;
}

/** Thinks before each turn. */
export interface Search {
  readonly simulator: Simulator;
  /**
   * @throws {RangeError} if the history is impossible by the simulator's rules
   */
  decide(history: History, env: Env, rng: Rng): Decision;
}

/** One action of each class that the world names, or every turn that can be written. */
export function searchActions(env: Env): readonly Action[] {
  const classes = isEnumerable(env) ? env.actionClasses?.() : undefined;
  return classes?.map(({ action }) => action) ?? [...allTurns(env.spec)];
}

/** Plays a turn at random, or as a policy would. */
export function rolloutOf(
  actions: readonly Action[],
  policy: Policy | undefined,
): (history: History, rng: Rng) => Action {
  if (!policy) return (_, rng) => actions[rng.below(actions.length)]!;
  return (history, rng) => policy.sample([history], [rng])[0]!.tokens;
}

/**
 * Monte Carlo tree search: UCT over histories, again before each turn.
 *
 * ```
 * argmax_a Q(h, a) + c sqrt(ln N(h) / n(h, a))   in the tree, a rollout below it; then the action that was tried most
 * ```
 * @throws {RangeError} if the budget is not a whole number >= 1
 * @example
 * import { make } from "turnwise";
 * import { beliefSimulator, mcts, playSearch } from "turnwise/search";
 * const env = make("LookUp-v0");
 * const search = mcts({ simulator: beliefSimulator(env), budget: 20_000 });
 * playSearch(env, search, { episodes: 2, seed: 0 }).mean; // => 1
 * @see Kocsis and Szepesvari (2006), Silver and Veness (2010)
 */
export function mcts(o: SearchOptions): Search {
  return searching(o, Infinity);
}

/**
 * A bandit over the next turn alone: each pull is that turn and a rollout to the end, and UCB1 says which is pulled.
 *
 * It knows how good a turn is before a player who rolls out: what that player never does counts for nothing.
 *
 * @throws {RangeError} if the budget is not a whole number >= 1
 * @see Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem" (2002)
 */
export function ucb1(o: SearchOptions): Search {
  return searching(o, 1);
}

function searching(o: SearchOptions, depth: number): Search {
  const { simulator, budget, exploration = Math.SQRT2 } = o;
  expectWhole("search", "budget", budget, 1);
  return {
    simulator,
    decide(history, env, rng) {
      const actions = o.actions ?? searchActions(env);
      const { maxTurns } = env.spec;
      const tree = new HistoryTree({
        actions,
        exploration,
        rollout: rolloutOf(actions, o.rollout),
        maxTurns,
        depth,
      });
      const begin = simulator.at(history, env);
      for (let i = 0; tree.steps < budget; i++) {
        const own = rng.split("simulation", i);
        tree.simulate(history, begin(own.split("world")), own.split("player"));
      }
      const arms = tree.arms(history)!;
      return { action: mostTried(arms).action, arms, steps: tree.steps };
    },
  };
}
