import type { Env, EnvSpec, Observation, Outcome } from "./env";
import { isEnumerable } from "./env";
import { GameEnv } from "./game";

/** A state of a world that is shared: its own, and the turn. */
interface SharedState {
  readonly inner: unknown;
  readonly turn: number;
}

/**
 * A world whose turns are taken by a team: the first name takes the first turn, and the last one all that are left.
 *
 * Nothing else changes, so the optimum of those who remember whole histories is that of the world.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if there are fewer than two different names, or more names than turns
 * @example
 * import { make } from "turnwise";
 * import { inTurns } from "turnwise/search";
 * const env = inTurns(make("ToolChain-v0"), ["searcher", "reader", "answerer"]);
 * env.reset({ seed: 0 })[0].agent; // => "searcher"
 */
export function inTurns(env: Env, team: readonly string[]): GameEnv<SharedState> {
  if (!isEnumerable(env)) {
    throw new TypeError(
      `Cannot share ${env.spec.id}: the environment must list its outcomes, but start and transition are missing.`,
    );
  }
  const agents = [...new Set(team)];
  if (agents.length < 2 || team.length > env.spec.maxTurns) {
    throw new RangeError(
      `Cannot share ${env.spec.id}: a team must have two agents or more, and at most ${env.spec.maxTurns} turns, got ${team.join(", ")}.`,
    );
  }
  const spec: EnvSpec = { ...env.spec, agents };
  const seenBy = new Map<Observation, Map<string, Observation>>();
  const named = (observation: Observation, turn: number): Observation => {
    const agent = team[Math.min(turn, team.length - 1)]!;
    let known = seenBy.get(observation);
    if (!known) seenBy.set(observation, (known = new Map()));
    let own = known.get(agent);
    if (!own) known.set(agent, (own = { ...observation, agent }));
    return own;
  };
  const states = new Map<string, SharedState>();
  const shared = (outcome: Outcome<unknown>, turn: number): Outcome<SharedState> => {
    const key = `${turn}/${JSON.stringify(outcome.state)}`;
    let state = states.get(key);
    if (!state) states.set(key, (state = { inner: outcome.state, turn }));
    return { ...outcome, state, observation: named(outcome.observation, turn) };
  };
  const known = new Map<string, readonly Outcome<SharedState>[]>();
  return new GameEnv({
    spec,
    start: () => env.start().map((outcome) => shared(outcome, 0)),
    transition({ inner, turn }, action) {
      const key = `${turn}/${JSON.stringify(inner)}/${action.join()}`;
      let outcomes = known.get(key);
      if (!outcomes) {
        outcomes = env.transition(inner, action).map((outcome) => shared(outcome, turn + 1));
        known.set(key, outcomes);
      }
      return outcomes;
    },
    actionClasses: () => env.actionClasses?.(),
    returnBounds: ({ inner }) => env.returnBounds?.(inner),
    render: ({ inner, turn }) => `turn ${turn}: ${JSON.stringify(inner)}`,
  });
}
