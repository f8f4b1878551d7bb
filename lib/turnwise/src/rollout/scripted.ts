import { log } from "../base/elementary/log";
import type { Env, Observation } from "../env/env";
import type { Batch } from "../batch/batch";
import { turnMarkers } from "./turnMarkers";

/**
 * A batch of episodes whose turns are given instead of sampled, for worked examples and tests.
 *
 * `scripts[n][t]` holds the words of turn t of trajectory n. All trajectories begin in the start state of `seed` and form one
 * group; a script may end before its episode does. The old log-prob of each token is that of the uniform policy, -log V.
 *
 * @throws {RangeError} if a word is not in the vocabulary, or a turn follows the end of its episode
 * @example
 * import { make, scriptedBatch } from "turnwise";
 * const env = make("LookUp-v0");
 * const scripts = [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]];
 * scriptedBatch(env, scripts).return_n; // => [-0.33, 1]
 */
export function scriptedBatch(
  env: Env,
  scripts: readonly (readonly (readonly string[])[])[],
  { seed = 0 }: { seed?: number } = {},
): Batch {
  const { vocabulary, maxTurns: T, maxTokens: L } = env.spec;
  const N = scripts.length;
  const token_ntl = new Int32Array(N * T * L);
  const mask_ntl = new Uint8Array(N * T * L);
  const oldLogProb_ntl = new Float64Array(N * T * L);
  const reward_nt = new Float64Array(N * T);
  const return_n = new Float64Array(N);
  const observations: Observation[][] = [];
  const info_nt: Readonly<Record<string, unknown>>[][] = [];
  const truncated: boolean[] = [];
  scripts.forEach((turns, n) => {
    let [observation] = env.reset({ seed, member: n });
    let ended = false;
    observations.push([]);
    info_nt.push([]);
    turns.forEach((words, t) => {
      if (ended) {
        throw new RangeError(
          `Cannot play a script: its turns must fit into the episode, but trajectory ${n} ended after turn ${t}.`,
        );
      }
      observations[n]!.push(observation);
      const action = words.map((word) => {
        const token = vocabulary.indexOf(word);
        if (token >= 0) return token;
        throw new RangeError(`Cannot play a script: each word must be in the vocabulary, got "${word}".`);
      });
      const [next, reward, terminated, cut, info] = env.step(action);
      action.forEach((token, l) => {
        const i = (n * T + t) * L + l;
        token_ntl[i] = token;
        mask_ntl[i] = 1;
        oldLogProb_ntl[i] = -log(vocabulary.length);
      });
      reward_nt[n * T + t] = reward;
      return_n[n]! += reward;
      info_nt[n]!.push(info);
      observation = next;
      ended = terminated || cut || t + 1 === T;
    });
    truncated.push(!ended);
  });
  return {
    shape: [N, T, L],
    token_ntl,
    mask_ntl,
    oldLogProb_ntl,
    reward_nt,
    return_n,
    turnCount_n: Int32Array.from(scripts, (turns) => turns.length),
    trajectoryId: scripts.map((_, n) => `script.${n}`),
    groupId: scripts.map(() => "0"),
    observation_nt: observations.map((seen) => seen.map(({ text }) => text)),
    context_nt: scripts.map((turns) => turns.map(() => null)),
    truncated,
    info_nt,
    ...turnMarkers(
      env.spec,
      observations.map((seen, n) => ({ observations: seen, infos: info_nt[n]! })),
    ),
  };
}
