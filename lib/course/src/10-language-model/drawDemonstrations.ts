import { createRng, type Rng } from "turnwise/internal/base/rng";
import type { Env, Observation } from "turnwise/internal/env/index";
import { drawTrajectory, type Drawing, type Episode, type EpisodeTurn } from "turnwise/internal/plot/index";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";
import { END } from "turnwise/internal/env/tool/grammar";
import { wordOf } from "./words";

/** A demonstrator's first episodes, as a model is to imitate them. */
export function drawDemonstrations(env: Env, teacher: Teacher, { episodes = 4, seed = 0 } = {}): Drawing {
  const rng = createRng(seed).split("drawDemonstrations");
  const shown = Array.from({ length: episodes }, (_, i) => episodeOf(env, teacher, rng.split("episode", i)));
  return drawTrajectory(shown, { title: "What the demonstrator writes" });
}

function episodeOf(env: Env, teacher: Teacher, rng: Rng): Episode {
  const observations: Observation[] = [env.reset({ seed: rng.split("env").below(4294967296) })[0]];
  const actions: (readonly number[])[] = [];
  const turns: EpisodeTurn[] = [];
  for (let over = false; !over;) {
    const tokens = teacher({ observations, actions }, rng.split("turn", actions.length));
    const [observation, reward, terminated, truncated] = env.step(tokens);
    const words = tokens.map((token) => wordOf(env, token)).filter((word) => word !== END);
    turns.push({ observation: observations.at(-1)!.text, tokens: words, reward });
    observations.push(observation);
    actions.push(tokens);
    over = terminated || truncated;
  }
  return { turns };
}
