import { expectWhole } from "../base/expect";
import { createRng } from "../base/rng";
import type { Action, Env, Observation } from "../env/env";
import type { Search } from "./search";

/** Result of an agent that searches before each turn. */
export interface SearchedPlay {
  readonly return_n: Float64Array;
  readonly mean: number;
  /** Turns that were really taken. */
  readonly realSteps: number;
  /** Steps of all simulations. */
  readonly simulatedSteps: number;
  /** Whether the search knew the hidden state: then this is a bound, and no agent's score. */
  readonly seesHiddenState: boolean;
}

/**
 * Lets a search play: it thinks before each turn, and then takes the turn that it decided on.
 *
 * @throws {RangeError} if the number of episodes is not a whole number >= 1
 */
export function playSearch(
  env: Env,
  search: Search,
  { episodes, seed }: { readonly episodes: number; readonly seed: number },
): SearchedPlay {
  expectWhole("play", "episodes", episodes, 1);
  const rng = createRng(seed).split("playSearch");
  const return_n = new Float64Array(episodes);
  let realSteps = 0;
  let simulatedSteps = 0;
  for (let n = 0; n < episodes; n++) {
    const own = rng.split("episode", n);
    const observations: Observation[] = [env.reset({ seed: own.split("env").below(4294967296) })[0]];
    const actions: Action[] = [];
    for (let ended = false; !ended && actions.length < env.spec.maxTurns;) {
      const { action, steps } = search.decide(
        { observations, actions },
        env,
        own.split("turn", actions.length),
      );
      const [observation, reward, terminated, truncated] = env.step(action);
      realSteps++;
      simulatedSteps += steps;
      return_n[n]! += reward;
      observations.push(observation);
      actions.push(action);
      ended = terminated || truncated;
    }
  }
  return {
    return_n,
    mean: return_n.reduce((a, b) => a + b, 0) / episodes,
    realSteps,
    simulatedSteps,
    seesHiddenState: search.simulator.seesHiddenState,
  };
}
