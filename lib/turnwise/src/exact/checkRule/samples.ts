import { log } from "../../base/elementary/log";
import { createRng } from "../../base/rng";
import { cases } from "./games";
import { rolloutOf, type Group, type Rollout } from "./rollout";
import { probabilityOfLines, returnOf, type TokenGame, type TokenPolicy } from "./tokenGame";

const GROUPS = 3;
const GROUP_SIZE = 4;

/** Three groups of four, drawn with a fixed seed, in each of which two returns differ at least. */
function sample(game: TokenGame, policy: TokenPolicy): Rollout {
  const groups: Group[] = [];
  for (let draw = 0; groups.length < GROUPS; draw++) {
    const task = game.tasks[groups.length % game.tasks.length]!;
    const logProb = probabilityOfLines(game, task, policy).map(log);
    const rng = createRng(0).split(game.name, draw);
    const lines = Array.from({ length: GROUP_SIZE }, () => task.lines[rng.categorical(logProb)]!);
    if (new Set(lines.map(returnOf)).size > 1) groups.push({ task, lines });
  }
  return rolloutOf(game, policy, groups);
}

/** Two rollouts with forced tokens, turns of different lengths and trajectories of different lengths. */
export const samples = [
  { case: cases.lookUp, rollout: sample(cases.lookUp.game, cases.lookUp.policy) },
  { case: cases.twoJobs, rollout: sample(cases.twoJobs.game, cases.twoJobs.policy) },
] as const;

/** A number for each sampled cell, 0 where masked. */
export function perToken({ batch }: Rollout, value: (i: number) => number): Float64Array {
  const { mask_ntl } = batch;
  return Float64Array.from(mask_ntl, (mask, i) => (mask === 1 ? value(i) : 0));
}

/** The log-probs of a policy that has moved by `shift` nats on each sampled token. */
export function moved(rollout: Rollout, shift: (i: number) => number): Float64Array {
  const step_ntl = perToken(rollout, shift);
  return rollout.batch.oldLogProb_ntl.map((x, i) => x + step_ntl[i]!);
}
