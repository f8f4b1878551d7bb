import type { PolicyOptions } from "../policy";
import type { PolicyFactory } from "../policy/policy";
import type { Env, Observation, Outcome } from "../env/env";
import { GameEnv, type Game } from "../env/game";
import { make } from "../env";

/** A world of the report card at a horizon, and the policy that acts in it. */
export interface CardWorld {
  readonly name: string;
  /** One sentence: what it asks of a rule. */
  readonly about: string;
  /** The horizon is the number of turns; null if the world has its own. */
  readonly horizon: number | null;
  /** The world with so many turns. */
  env(horizon: number): Env;
  /** Agent that acts in it: options, or a function that makes a policy from a seed. */
  readonly policy: PolicyOptions | PolicyFactory;
}

/** The return of stopping at turn t, repeated over longer horizons. */
const STOP_REWARDS = [0, 2, 1, 3];

/**
 * The first action decides, all others do nothing: GOOD succeeds with probability .8, BAD with .2, told at the end.
 *
 * @see hectopascal/agent-credit-bench, src/agent_credit_bench/envs/delayed_effect.py
 */
export function delayedEffect(turns: number, o: { readonly good?: number; readonly bad?: number } = {}): Env {
  const { good = 0.8, bad = 0.2 } = o;
  const seen = ["start", "good", "bad"].map((text, i): Observation => ({ tokens: [2 + i], text }));
  return chainWorld("DelayedEffect", ["GOOD", "BAD"], ["start", "good", "bad"], turns, {
    first: { place: 0, observation: seen[0]! },
    after: (place, token, turn) => {
      const latent = turn === 0 ? 1 + token : place;
      if (turn + 1 < turns) return [{ probability: 1, place: latent, observation: seen[latent]!, reward: 0 }];
      const success = latent === 1 ? good : bad;
      return [1, 0].map((reward) => ({ probability: reward === 1 ? success : 1 - success, reward }));
    },
  });
}

/**
 * GOOD succeeds at once; BAD is a mistake that RECOVER repairs and GIVE-UP does not.
 *
 * @see hectopascal/agent-credit-bench, src/agent_credit_bench/envs/recovery.py
 */
export function recovery(): Env {
  const seen = ["start", "mistake"].map((text, i): Observation => ({ tokens: [2 + i], text }));
  return chainWorld("Recovery", ["GOOD or RECOVER", "BAD or GIVE-UP"], ["start", "mistake"], 2, {
    first: { place: 0, observation: seen[0]! },
    after: (place, token) => {
      if (token === 0) return [{ probability: 1, reward: 1 }];
      if (place === 1) return [{ probability: 1, reward: 0 }];
      return [{ probability: 1, place: 1, observation: seen[1]!, reward: 0 }];
    },
  });
}

/**
 * STOP takes the reward of the turn, 0, 2, 1, 3, 0, ...; GO waits for the next one. After the last turn GO takes it unasked.
 *
 * The benchmark's horizon counts the last, forced STOP as a turn; here it is none, as there is nothing to choose.
 *
 * @see hectopascal/agent-credit-bench, src/agent_credit_bench/envs/variable_horizon.py and experiments/variable_horizon_sweep.py
 */
export function stopOrGo(turns: number): Env {
  const alive: Observation = { tokens: [2], text: "alive" };
  return chainWorld("StopOrGo", ["STOP", "GO"], ["alive"], turns, {
    first: { place: 0, observation: alive },
    after: (_, token, turn) =>
      token === 0
        ? [{ probability: 1, reward: STOP_REWARDS[turn % STOP_REWARDS.length]! }]
        : turn + 1 < turns
          ? [{ probability: 1, place: 0, observation: alive, reward: 0 }]
          : [{ probability: 1, reward: STOP_REWARDS[turns % STOP_REWARDS.length]! }],
  });
}

/** One token chooses one of two arms; the first pays 1, the other 0. Whatever is said of a rule here can be worked out by hand. */
export function twoArms(): Env {
  return chainWorld("TwoArms", ["one", "zero"], ["start"], 1, {
    first: { place: 0, observation: { tokens: [2], text: "start" } },
    after: (_, token) => [{ probability: 1, reward: 1 - token }],
  });
}

interface Step {
  readonly probability: number;
  readonly reward: number;
  /** Place where it goes on; without it the episode ends. */
  readonly place?: number;
  readonly observation?: Observation;
}

interface State {
  readonly place: number;
  readonly turn: number;
}

/** A world with two tokens, one a turn, whose state is a place and the number of the turn. */
function chainWorld(
  id: string,
  vocabulary: readonly string[],
  observationVocabulary: readonly string[],
  turns: number,
  rules: {
    readonly first: { readonly place: number; readonly observation: Observation };
    after(place: number, token: number, turn: number): readonly Step[];
  },
): Env {
  const { place, observation } = rules.first;
  const game: Game<State> = {
    spec: {
      id: `${id}-v0`,
      skill: "credit assignment",
      vocabulary,
      observationVocabulary,
      maxTurns: turns,
      maxTokens: 1,
      options: { turns },
    },
    start: () => [{ probability: 1, state: { place, turn: 0 }, observation, reward: 0, terminated: false }],
    transition: (state, [token]) =>
      rules.after(state.place, token!, state.turn).map((step): Outcome<State> => ({
        probability: step.probability,
        state: { place: step.place ?? state.place, turn: state.turn + 1 },
        observation: step.observation ?? observation,
        reward: step.reward,
        terminated: step.place === undefined,
      })),
    render: (state) => `${id}, turn ${state.turn + 1} of ${turns}, place ${state.place}`,
  };
  return new GameEnv(game);
}

const drawnLogits = { memory: "turnObservation", initialScale: 1 } as const;

/** The default worlds: AgentCreditBench's three processes, and a tiger that the agent cannot see. */
export const cardWorlds: readonly CardWorld[] = Object.freeze([
  {
    name: "delayed",
    about: "the first turn decides, the others do nothing",
    horizon: 4,
    env: (turns: number) => delayedEffect(turns),
    policy: drawnLogits,
  },
  {
    name: "recovery",
    about: "a mistake at the first turn is repaired at the second",
    horizon: null,
    env: recovery,
    policy: drawnLogits,
  },
  {
    name: "stopOrGo",
    about: "each turn ends the episode or waits for another reward",
    horizon: 4,
    env: stopOrGo,
    policy: drawnLogits,
  },
  {
    name: "tiger",
    about: "listen, at a cost, before a door is opened; the side of the tiger is hidden",
    horizon: 4,
    env: (turns: number) => make("Tiger-v0", { turns, treasure: 1, tiger: -1, listenCost: 0.1 }),
    policy: { initialScale: 1 },
  },
]);
