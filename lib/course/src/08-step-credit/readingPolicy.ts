import { createRng } from "turnwise/internal/base/rng";
import type { Env, TurnInfo } from "turnwise/internal/env/index";
import { createPolicy, type TabularPolicy } from "turnwise/internal/policy/index";
import type { TabularOptions } from "turnwise/internal/policy/options";
import { collect } from "turnwise/internal/rollout/index";

/**
 * A table that can read to some degree: after a true result, the right answer is `nats` more likely than without it. All else is
 * left to chance: whether to look, and whether to answer.
 */
export function readingPolicy(env: Env, nats: number, options: TabularOptions = {}): TabularPolicy {
  const policy = createPolicy(env.spec, options) as TabularPolicy;
  if (nats === 0) return policy;
  const played = collect(env, policy, { groups: 256, groupSize: 8, rng: createRng(0).split("reading") });
  const [N, T, L] = played.shape;
  const token_ntl = played.token_ntl.slice();
  const mask_ntl = new Uint8Array(N * T * L);
  const cells: number[] = [];
  const taught = new Set<string>();
  for (let n = 0; n < N; n++) {
    for (let t = 1; t < played.turnCount_n[n]!; t++) {
      const { gold, verdict }: TurnInfo = played.info_nt![n]![t - 1]!;
      const context = String(played.context_nt[n]![t]);
      if (gold === undefined || verdict !== 1 || taught.has(context)) continue;
      taught.add(context);
      // The right answer replaces what was played: its tokens' rows are what is taught.
      const turn = [...gold.before, ...gold.answer];
      const first = (n * T + t) * L;
      token_ntl.set(turn, first);
      mask_ntl.fill(1, first, first + turn.length);
      cells.push(first + gold.before.length);
    }
  }
  const script = { ...played, token_ntl, mask_ntl };
  for (const cell of cells) {
    const dLogProb_ntl = new Float64Array(N * T * L);
    dLogProb_ntl[cell] = 1;
    // d log p / d logit is largest at the token itself.
    const gradient = policy.backward(script, { dLogProb_ntl });
    policy.parameters[gradient.indexOf(gradient.reduce((a, b) => Math.max(a, b)))]! += nats;
  }
  return policy;
}
