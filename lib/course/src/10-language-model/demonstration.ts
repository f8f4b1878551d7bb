import type { Rng } from "turnwise/internal/base/rng";
import type { Env, Info, Observation } from "turnwise/internal/env/env";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";

/** A turn of a demonstrator, and what came of it. */
export interface DemonstratedTurn {
  /** The observation before it. */
  readonly observation: Observation;
  readonly tokens: readonly number[];
  readonly reward: number;
  readonly info: Info;
}

/** One episode that a demonstrator plays. */
export function demonstration(env: Env, teacher: Teacher, rng: Rng): DemonstratedTurn[] {
  const observations: Observation[] = [env.reset({ seed: rng.split("env").below(4294967296) })[0]];
  const turns: DemonstratedTurn[] = [];
  for (let over = false; !over;) {
    const actions = turns.map(({ tokens }) => tokens);
    const tokens = teacher({ observations, actions }, rng.split("turn", turns.length));
    const [next, reward, terminated, truncated, info] = env.step(tokens);
    turns.push({ observation: observations.at(-1)!, tokens, reward, info });
    observations.push(next);
    over = terminated || truncated;
  }
  return turns;
}
