import type { Env } from "../env/env";
import type { Tiles } from "../env/grid/drawGrid";
import type { Policy } from "../policy/policy";
import { collect } from "../rollout";
import type { Rng } from "../base/rng";

/** One line of a dialogue. */
export interface Line {
  readonly speaker: "environment" | "agent";
  readonly text: string;
  /** Meaning of the characters if the text is a map. */
  readonly tiles?: Tiles | undefined;
}

/** A sampled episode as people read it. */
export interface Dialogue {
  readonly lines: readonly Line[];
  readonly reward: number;
}

/**
 * Plays episodes of the present policy from one start state, on a random stream of their own and a copy of the policy, so that
 * training is not disturbed: a table grows by what it is asked, and when it is asked depends on the clock.
 */
export function sampleDialogues(env: Env, policy: Policy, rng: Rng, count: number): Dialogue[] {
  const batch = collect(env, policy.clone(), { groups: 1, groupSize: count, rng });
  const [N, T, L] = batch.shape;
  return Array.from({ length: N }, (_, n) => {
    const lines: Line[] = [];
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      lines.push({ speaker: "environment", text: batch.observation_nt[n]![t]!, tiles: env.spec.tiles });
      const words: string[] = [];
      for (let l = 0; l < L; l++) {
        const i = (n * T + t) * L + l;
        if (batch.mask_ntl[i] === 1) words.push(env.spec.vocabulary[batch.token_ntl[i]!]!);
      }
      lines.push({ speaker: "agent", text: words.join(" ") });
    }
    return { lines, reward: batch.return_n[n]! };
  });
}
