import { createRng } from "../base/rng";
import type { Env } from "./env";
import { RecordStatistics, RecordTranscript } from "./recorders";
import { asItWas } from "./asItWas";

/** Few short episodes: enough to notice what every run would meet, and nothing beside a run's thousands. */
const EPISODES = 6;
const TURNS = 12;

/** A recorder plays as what it wraps does, and must not keep episodes that nobody asked for. */
const played = (env: Env): Env =>
  env instanceof RecordStatistics || env instanceof RecordTranscript ? played(env.inner) : env;

/**
 * Observations, rewards and ends of a few episodes with fixed seeds and actions: environments that were built alike give the
 * same text, and so does one environment twice unless it remembers something. Leaves `state()` as it was.
 */
export function behaviorOf(given: Env): string {
  const env = played(given);
  const restore = asItWas("try the environment", env, "register the world and give its id");
  const seen: unknown[] = [];
  try {
    for (let seed = 0; seed < EPISODES; seed++) {
      const rng = createRng(seed).split("behavior");
      const [first] = env.reset({ seed });
      seen.push(first);
      for (let turn = 0; turn < TURNS; turn++) {
        const [observation, reward, terminated, truncated] = env.step(env.actionSpace.sample(rng));
        seen.push(observation, reward, terminated, truncated);
        if (terminated || truncated) break;
      }
    }
  } finally {
    restore();
  }
  return JSON.stringify(seen);
}
