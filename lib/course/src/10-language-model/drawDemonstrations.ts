import { createRng } from "turnwise/internal/base/rng";
import type { Env } from "turnwise/internal/env/index";
import { drawTrajectory, type Drawing } from "turnwise/internal/plot/index";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";
import { END } from "turnwise/internal/env/tool/grammar";
import { demonstration } from "./demonstration";
import { wordOf } from "./words";

/** A demonstrator's first episodes, as a model is to imitate them. */
export function drawDemonstrations(env: Env, teacher: Teacher, { episodes = 4, seed = 0 } = {}): Drawing {
  const rng = createRng(seed).split("drawDemonstrations");
  const shown = Array.from({ length: episodes }, (_, i) => ({
    turns: demonstration(env, teacher, rng.split("episode", i)).map(({ observation, tokens, reward }) => ({
      observation: observation.text,
      tokens: tokens.map((token) => wordOf(env, token)).filter((word) => word !== END),
      reward,
    })),
  }));
  return drawTrajectory(shown, { title: "What the demonstrator writes" });
}
