import { log } from "../base/elementary/log";
import type { Rng } from "../base/rng";
import { isEnumerable, type Action, type Env, type EnumerableEnv, type Observation } from "../env/env";
import type { History } from "../policy/policy";

/** Result of a simulated turn. */
export interface SimulatedStep {
  readonly observation: Observation;
  readonly reward: number;
  readonly ended: boolean;
}

/** An episode that is played in thought, from where the real one stands. */
export interface Simulation {
  /** Takes a turn in thought. */
  step(action: Action): SimulatedStep;
}

/** Simulator in which a search plays its plans. */
export interface Simulator {
  /**
   * Whether it knows the hidden state. A search on such a simulator does what no agent could: it is a bound from above, and its
   * choices must not be taken for those of a policy that sees histories.
   */
  readonly seesHiddenState: boolean;
  /** Simulations of the episode that stands after this history; `env` is the real one. */
  at(history: History, env: Env): (rng: Rng) => Simulation;
}

/**
 * Plays branches of the real episode: the hidden state is the true one, which the agent cannot know. AN ORACLE.
 *
 * In a world that hides something, a search on it finds the password by trying all of them in thought.
 *
 * @throws {TypeError} once it is used in a world that cannot be branched
 */
export function oracleSimulator(): Simulator {
  return {
    seesHiddenState: true,
    at: (_, env) => (rng) => {
      const branch = env.branch?.(rng.below(4294967296));
      if (branch) return { step: (action) => stepOf(branch, action) };
      throw new TypeError(
        `Cannot simulate ${env.spec.id} by branches: the world must have branch, but it cannot be copied in the middle of an episode.`,
      );
    },
  };
}

function stepOf(env: Env, action: Action): SimulatedStep {
  const [observation, reward, terminated, truncated] = env.step(action);
  return { observation, reward, ended: terminated || truncated };
}

interface Believed {
  readonly state: unknown;
  readonly probability: number;
}

/**
 * Plays the rules of a world from hidden states that are drawn again for each simulation, as likely as they are given all that was
 * seen and done. It knows the rules and not the state, so that a search on it is one that an agent could do.
 *
 * ```
 * P(s | h) ~ sum over starts and outcomes that agree with every observation of h
 * ```
 * The rules may be a model's: `CountModel`, `hallucinating`.
 *
 * @throws {TypeError} if the rules do not list their outcomes
 * @see Silver and Veness, "Monte-Carlo planning in large POMDPs" (2010), where the draws are kept as particles
 */
export function beliefSimulator(rules: Env): Simulator {
  if (!isEnumerable(rules)) {
    throw new TypeError(
      `Cannot simulate ${rules.spec.id} by its rules: it must list its outcomes, but start and transition are missing.`,
    );
  }
  return {
    seesHiddenState: false,
    at(history) {
      const belief = believed(rules, history);
      const logProb = belief.map(({ probability }) => log(probability));
      return (rng) => {
        let { state } = belief[rng.categorical(logProb)]!;
        return {
          step(action) {
            const outcomes = rules.transition(state, action);
            const outcome =
              outcomes.length === 1
                ? outcomes[0]!
                : outcomes[rng.categorical(outcomes.map(({ probability }) => log(probability)))]!;
            state = outcome.state;
            return { observation: outcome.observation, reward: outcome.reward, ended: outcome.terminated };
          },
        };
      };
    },
  };
}

/** The hidden states that agree with what was seen, each with its probability up to a common factor. */
function believed(rules: EnumerableEnv, { observations, actions }: History): readonly Believed[] {
  const looks = (a: Observation, b: Observation): boolean => a.tokens.join() === b.tokens.join();
  let belief: readonly Believed[] = rules
    .start()
    .filter(({ observation }) => looks(observation, observations[0]!))
    .map(({ state, probability }) => ({ state, probability }));
  actions.forEach((action, t) => {
    belief = belief.flatMap(({ state, probability }) =>
      rules
        .transition(state, action)
        .filter((outcome) => !outcome.terminated && looks(outcome.observation, observations[t + 1]!))
        .map((outcome) => ({ state: outcome.state, probability: probability * outcome.probability })),
    );
  });
  if (belief.length > 0) return belief;
  throw new RangeError(
    `Cannot simulate ${rules.spec.id}: the history must be possible by its rules, ` +
      `but it ends with "${observations.at(-1)!.text}".`,
  );
}
