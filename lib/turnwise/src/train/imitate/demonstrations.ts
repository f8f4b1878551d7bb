import type { Rng } from "../../base/rng";
import { show } from "../../base/show";
import { turnBatch } from "../../batch/turnBatch";
import type { Batch } from "../../batch/batch";
import type { Env, Observation } from "../../env/env";
import type { History, Policy } from "../../policy/policy";

/** Gives the turn to be learned after each history. */
export type Teacher = (history: History, rng: Rng) => readonly number[];

/** Demonstration of a teacher after a history. */
export interface Demonstration {
  readonly tokens: readonly number[];
  /** The history as the learner sees it. */
  readonly context: unknown;
}

/**
 * Lets a teacher play whole episodes, and keeps each of its turns with the context that the learner has there.
 *
 * @throws {RangeError} if a turn of the teacher is none that the environment takes
 */
export function demonstrations(
  env: Env,
  policy: Policy,
  { teacher, episodes, rng }: { readonly teacher: Teacher; readonly episodes: number; readonly rng: Rng },
): Demonstration[] {
  const shown: Demonstration[] = [];
  for (let episode = 0; episode < episodes; episode++) {
    const own = rng.split("imitate", episode);
    const observations: Observation[] = [env.reset({ seed: own.split("env").below(4294967296) })[0]];
    const actions: (readonly number[])[] = [];
    for (let over = false; !over;) {
      const history = { observations, actions };
      const tokens = teacher(history, own.split("turn", actions.length));
      expectTurn(env, tokens, observations.at(-1)!);
      shown.push({ tokens, context: policy.contextOf(history) });
      const [observation, , terminated, truncated] = env.step(tokens);
      observations.push(observation);
      actions.push(tokens);
      over = terminated || truncated || actions.length >= env.spec.maxTurns;
    }
  }
  return shown;
}

/** Demonstrations as a batch whose mask holds the teacher's tokens and nothing else. */
export function demonstrationBatch(shown: readonly Demonstration[], maxTokens: number): Batch {
  return turnBatch(
    shown.map(({ tokens }) => tokens),
    shown.map(({ context }) => context),
    shown.map(() => ""),
    maxTokens,
  );
}

function expectTurn({ actionSpace }: Env, tokens: readonly number[], { text }: Observation): void {
  if (actionSpace.contains(tokens)) return;
  throw new RangeError(
    `Cannot imitate: each turn of the teacher must be in ${actionSpace.toString()}, ` +
      `but after "${text}" it is ${show(tokens)}.`,
  );
}
