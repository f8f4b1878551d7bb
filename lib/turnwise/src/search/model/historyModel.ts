import type { Action, Env, Outcome } from "../../env/env";
import { GameEnv, type Game } from "../../env/game";
import { modelGame } from "./modelGame";

/** A node of the tree of everything that a trainer can see: observations, actions and rewards. */
export interface HistoryState {
  readonly history: string;
}

type Belief = readonly { readonly state: unknown; readonly probability: number }[];

/**
 * A world as its histories alone foretell it: hidden states are summed out.
 *
 * ```
 * P(o', r, end | h, a) = sum_s P(s | h) P(s', o', r, end | s, a)
 * ```
 * Any policy that sees histories has the same distribution over episodes here and in the world. It is what a count model tends
 * to with more and more episodes.
 *
 * Groups begin with the same first observation, since a history knows of no hidden start.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @example
 * import { make, optimalReturn } from "turnwise";
 * import { historyModel } from "turnwise/search";
 * const model = historyModel(make("LookUp-v0"));
 * model.start().length; // => 1
 * optimalReturn(model).J; // => 1
 */
export function historyModel(env: Env): GameEnv<HistoryState> {
  return new GameEnv(historyGame(modelGame(env)));
}

function historyGame(game: Game<unknown>): Game<HistoryState> {
  const beliefs = new Map<string, Belief>();
  const known = new Map<string, readonly Outcome<HistoryState>[]>();

  /** The outcomes that look alike, put together; each remembers which hidden states may be behind it. */
  const seenFrom = (
    before: string,
    all: readonly { readonly probability: number; readonly outcome: Outcome<unknown> }[],
  ): readonly Outcome<HistoryState>[] => {
    const alike = new Map<string, { outcome: Outcome<unknown>; belief: Map<string, Belief[number]> }>();
    for (const { probability, outcome } of all) {
      const { observation, reward, terminated } = outcome;
      const seen = JSON.stringify([observation.tokens, observation.text, reward, terminated]);
      let group = alike.get(seen);
      if (!group) alike.set(seen, (group = { outcome, belief: new Map() }));
      const key = JSON.stringify(outcome.state);
      const mass = probability + (group.belief.get(key)?.probability ?? 0);
      group.belief.set(key, { state: outcome.state, probability: mass });
    }
    return [...alike].map(([seen, { outcome, belief }]) => {
      const states = [...belief.values()];
      const probability = states.reduce((sum, one) => sum + one.probability, 0);
      const history = before + seen;
      if (!outcome.terminated) {
        beliefs.set(
          history,
          states.map((one) => ({ ...one, probability: one.probability / probability })),
        );
      }
      const { observation, reward, terminated, info } = outcome;
      return { probability, state: { history }, observation, reward, terminated, ...(info && { info }) };
    });
  };

  const start = seenFrom(
    "",
    game.start().map((outcome) => ({ probability: outcome.probability, outcome })),
  ).map((outcome) => ({ ...outcome, taskId: outcome.observation.text }));

  return {
    spec: game.spec,
    start: () => start,
    transition({ history }, action: Action) {
      const turn = `${history}>${action.join()};`;
      let outcomes = known.get(turn);
      if (!outcomes) {
        const all = beliefs.get(history)!.flatMap(({ state, probability }) =>
          game.transition(state, action).map((outcome) => ({
            probability: probability * outcome.probability,
            outcome,
          })),
        );
        known.set(turn, (outcomes = seenFrom(turn, all)));
      }
      return outcomes;
    },
    actionClasses: () => game.actionClasses?.(),
    render: ({ history }) => history,
  };
}
