import { expectWithin } from "../../base/expect";
import { createRng } from "../../base/rng";
import { show } from "../../base/show";
import { quoted } from "../../schema";
import type { Action, Env, Observation, Outcome } from "../../env/env";
import { GameEnv, type Game } from "../../env/game";
import { modelGame, representatives } from "./modelGame";

/** Parts of the simulation that a simulator makes up. */
const hallucinations = Object.freeze(["observation", "reward"] as const);

/** One of `hallucinations`. */
type Hallucination = (typeof hallucinations)[number];

/** Errors of a simulator. */
export interface HallucinationOptions {
  /** eps: how likely a reply is made up. */
  readonly rate: number;
  /** Whether it is the observation that is made up, or the reward. */
  readonly of: Hallucination;
  /**
   * Without it, each reply is drawn again. With it, the simulator has fixed beliefs, drawn once from this seed: asked the same
   * thing in the same state, it errs in the same way every time.
   */
  readonly beliefs?: number;
}

/** A hidden state of the world that is simulated, and the turn. */
export interface SimulatedState {
  readonly inner: unknown;
  readonly turn: number;
}

const MAX_STATES = 20_000;

/**
 * A simulator that has learned from text what replies look like, and makes some of them up.
 *
 * ```
 * with probability 1 - eps   the world's own reply (s', o', r)
 * with probability eps       (s', o~, r)  or  (s', o', r~)
 * ```
 * o~ is uniform over the other observations that the same action can bring at the same turn, in any state that can be reached
 * by then, and r~ over its other rewards: plausible replies, only not to this state. What is really the case goes on as in the
 * world, and so does the end of the episode. A reply without an alternative is never wrong. The last observation, which nobody
 * reads, is left alone.
 *
 * Everything is a named outcome, so `enumerateReturn` and `optimalReturn` hold in the simulator, too.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 * @throws {RangeError} if the rate is not in [0, 1], the kind is unknown, or a turn has more than 20 000 states
 * @example
 * import { make, optimalReturn } from "turnwise";
 * import { hallucinating } from "turnwise/search";
 * const simulator = hallucinating(make("LookUp-v0"), { rate: 0.25, of: "observation" });
 * optimalReturn(simulator).J.toFixed(3); // => "0.667"
 */
export function hallucinating(env: Env, options: HallucinationOptions): GameEnv<SimulatedState> {
  const { rate, of } = options;
  expectWithin("a simulator's replies", "rate", rate, 0, 1);
  if (!hallucinations.includes(of)) {
    throw new RangeError(`Cannot hallucinate: of must be ${quoted(hallucinations)}, got ${show(of)}.`);
  }
  return new GameEnv(simulation(modelGame(env), options));
}

function simulation(game: Game<unknown>, { rate, of, beliefs }: HallucinationOptions): Game<SimulatedState> {
  const states = new Map<string, SimulatedState>();
  const stateOf = (inner: unknown, turn: number): SimulatedState => {
    const key = `${turn}/${JSON.stringify(inner)}`;
    let state = states.get(key);
    if (!state) states.set(key, (state = { inner, turn }));
    return state;
  };
  const repliesTo = alternatives(game, of);
  const isOpen = (outcome: Outcome<unknown>): boolean => of === "reward" || !outcome.terminated;
  const saying = (outcome: Outcome<unknown>, reply: Reply): Outcome<unknown> =>
    of === "reward"
      ? { ...outcome, reward: reply as number }
      : { ...outcome, observation: reply as Observation };
  const saidBy = (outcome: Outcome<unknown>): Reply =>
    of === "reward" ? outcome.reward : outcome.observation;

  const made = (
    outcome: Outcome<unknown>,
    turn: number,
    action: Action,
    asked: string,
  ): Outcome<unknown>[] => {
    if (rate === 0 || !isOpen(outcome)) return [outcome];
    const own = JSON.stringify(saidBy(outcome));
    const others = repliesTo(turn, action).filter(({ key }) => key !== own);
    if (others.length === 0) return [outcome];
    if (beliefs === undefined) {
      const share = (rate * outcome.probability) / others.length;
      const wrong = others.map(({ reply }) => ({ ...saying(outcome, reply), probability: share }));
      const right = { ...outcome, probability: (1 - rate) * outcome.probability };
      return rate === 1 ? wrong : [right, ...wrong];
    }
    const rng = createRng(beliefs).split(`${asked}/${own}/${JSON.stringify(outcome.state)}`);
    if (rng.next() >= rate) return [outcome];
    return [saying(outcome, others[rng.below(others.length)]!.reply)];
  };

  const known = new Map<string, readonly Outcome<SimulatedState>[]>();
  const start = game.start().map((outcome) => ({ ...outcome, state: stateOf(outcome.state, 0) }));
  return {
    spec: game.spec,
    start: () => start,
    transition({ inner, turn }, action) {
      const asked = `${turn}/${JSON.stringify(inner)}/${action.join()}`;
      let outcomes = known.get(asked);
      if (!outcomes) {
        outcomes = game
          .transition(inner, action)
          .flatMap((outcome) => made(outcome, turn, action, asked))
          .map((outcome) => ({ ...outcome, state: stateOf(outcome.state, turn + 1) }));
        known.set(asked, outcomes);
      }
      return outcomes;
    },
    // Beliefs are about words: two spellings of one call may be believed to do different things.
    actionClasses: () => (beliefs === undefined ? game.actionClasses?.() : undefined),
    render: ({ inner, turn }) => `turn ${turn}: ${game.render(inner)}`,
  };
}

type Reply = Observation | number;

/** Everything that an action can bring at a turn, in any state that can be reached by then. */
function alternatives(
  game: Game<unknown>,
  of: Hallucination,
): (turn: number, action: Action) => readonly { readonly key: string; readonly reply: Reply }[] {
  const actions = representatives(game);
  const layers: (readonly unknown[])[] = [];
  const layer = (turn: number): readonly unknown[] => {
    while (layers.length <= turn) {
      const before = layers.at(-1);
      const next = before
        ? before.flatMap((state) => actions.flatMap((action) => goingOn(game.transition(state, action))))
        : goingOn(game.start());
      const distinct = new Map(next.map((state) => [JSON.stringify(state), state]));
      if (distinct.size > MAX_STATES) {
        throw new RangeError(
          `Cannot hallucinate in ${game.spec.id}: a turn must have at most ${MAX_STATES} states, but turn ${layers.length} has ${distinct.size}.`,
        );
      }
      layers.push([...distinct.values()]);
    }
    return layers[turn]!;
  };
  const known = new Map<string, readonly { key: string; reply: Reply }[]>();
  return (turn, action) => {
    const asked = `${turn}/${action.join()}`;
    let replies = known.get(asked);
    if (!replies) {
      const said = new Map<string, Reply>();
      for (const state of layer(turn)) {
        for (const { observation, reward, terminated } of game.transition(state, action)) {
          if (of === "reward") said.set(String(reward), reward);
          else if (!terminated) said.set(JSON.stringify(observation), observation);
        }
      }
      known.set(asked, (replies = [...said].map(([key, reply]) => ({ key, reply }))));
    }
    return replies;
  };
}

function goingOn(outcomes: readonly Outcome<unknown>[]): unknown[] {
  return outcomes.filter(({ terminated }) => !terminated).map(({ state }) => state);
}
