import type { Batch } from "turnwise/internal/batch/batch";
import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng } from "turnwise/internal/base/rng";
import { mean } from "turnwise/internal/base/statistics";
import type { Env, Info } from "turnwise/internal/env/env";
import type { Policy } from "turnwise/internal/policy/index";
import { collect } from "turnwise/internal/rollout/index";
import type { Teacher } from "turnwise/internal/train/imitate/demonstrations";
import { demonstration } from "./demonstration";

/** Behavior of a model when it is asked. */
export interface Played {
  readonly success: number;
  /** Share of its turns that could be parsed. */
  readonly wellFormed: number;
  /** Tokens of an episode. */
  readonly tokens: number;
}

interface PlayedOptions {
  readonly episodes?: number;
  readonly seed?: number;
}

/** Plays episodes that training never sees, the same ones for equal seeds. A demonstrator plays as many of its own. */
export function played(env: Env, player: Policy | Teacher, o: PlayedOptions = {}): Played {
  const { infos, tokens } = typeof player === "function" ? taught(env, player, o) : asked(env, player, o);
  const turns = infos.flat();
  return {
    success: infos.filter((own) => own.at(-1)!["success"] === true).length / infos.length,
    wellFormed: turns.filter((info) => info["call"] !== "malformed").length / turns.length,
    tokens: tokens / infos.length,
  };
}

/** Reports of the world on each turn of each episode, and the number of tokens of all. */
interface Witnessed {
  readonly infos: readonly (readonly Info[])[];
  readonly tokens: number;
}

function asked(env: Env, policy: Policy, o: PlayedOptions): Witnessed {
  const { info_nt, mask_ntl } = episodesOf(env, policy, o);
  return { infos: info_nt!, tokens: mask_ntl.reduce((sum, mask) => sum + mask, 0) };
}

function taught(env: Env, teacher: Teacher, { episodes = 400, seed = 0 }: PlayedOptions): Witnessed {
  const rng = createRng(seed).split("played by a demonstrator");
  const shown = Array.from({ length: episodes }, (_, i) =>
    demonstration(env, teacher, rng.split("episode", i)),
  );
  return {
    infos: shown.map((turns) => turns.map(({ info }) => info)),
    tokens: shown.flat().reduce((sum, turn) => sum + turn.tokens.length, 0),
  };
}

/** Disagreement of two engines about the tokens that the sampler wrote. A ratio is the trainer's probability over the sampler's. */
export interface Mismatch {
  /** Mean of |log ratio|, in nats. */
  readonly mean: number;
  /** The least and the largest ratio of a token. */
  readonly least: number;
  readonly largest: number;
  /** Share of tokens whose ratio lies outside of 0.8 to 1.2, the window of PPO's clip, before any step. */
  readonly outside: number;
}

/** Plays episodes, and compares the log-probs that came with each token with those that the trainer computes. */
export function mismatch(env: Env, policy: Policy, o: PlayedOptions = {}): Mismatch {
  const batch = episodesOf(env, policy, o);
  const { logProb_ntl } = policy.evaluate(batch);
  const logRatios = Array.from(batch.mask_ntl.keys())
    .filter((i) => batch.mask_ntl[i] === 1)
    .map((i) => logProb_ntl[i]! - batch.oldLogProb_ntl[i]!);
  const ratios = logRatios.map(exp);
  return {
    mean: mean(logRatios.map(Math.abs)),
    least: ratios.reduce((least, ratio) => Math.min(least, ratio)),
    largest: ratios.reduce((most, ratio) => Math.max(most, ratio)),
    outside: ratios.filter((ratio) => ratio < 0.8 || ratio > 1.2).length / ratios.length,
  };
}

const episodesOf = (env: Env, policy: Policy, { episodes = 400, seed = 0 }: PlayedOptions): Batch =>
  collect(env, policy, { groups: episodes, groupSize: 1, rng: createRng(seed).split("played") });
