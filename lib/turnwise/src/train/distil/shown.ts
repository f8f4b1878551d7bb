import type { Batch } from "../../batch/batch";
import type { Env } from "../../env/env";
import type { Policy } from "../../policy/policy";
import { collect } from "../../rollout/collect";
import type { Rng } from "../../base/rng";
import { readBy } from "./demonstrate";

/** Player of the episode that is read, and how it begins as those of the batch did. */
interface Showing {
  readonly env: Env;
  /** Policy that reads the demonstration. */
  readonly policy: Policy;
  /** Policy that plays it, taking its likeliest tokens. */
  readonly demonstrator: Policy;
  /** Generator that the batch was collected with. */
  readonly rollout: Rng;
}

/**
 * The batch as the policy reads it after a demonstration: its tokens, each after a context that begins with the transcript of
 * an expert's episode from the same start.
 *
 * ```
 * context of turn t:  demonstration, observation 0, turn 0, ..., observation t
 * ```
 * A table finds such a context in a row of its own, which no turn is played from and no gradient reaches: there the policy that
 * has read a demonstration is the policy as it began.
 *
 * @throws {TypeError} if the policy reads neither tokens nor texts
 * @throws {RangeError} if its window is too small for demonstration and episode
 * @see Self-distillation, arXiv 2601.19897; prime-rl at 559b447, src/prime_rl/orchestrator/algo/opsd.py:76
 */
export function afterDemonstration(batch: Batch, { env, policy, demonstrator, rollout }: Showing): Batch {
  const groups = batch.trajectoryId.map((id) => Number(id.split(".")[0]));
  const shown = collect(env, readBy(demonstrator, policy), {
    groups: 1 + Math.max(...groups),
    groupSize: 1,
    rng: rollout,
    greedy: true,
  });
  const [, T, L] = shown.shape;
  const transcripts = shown.context_nt.map((contexts, g) => {
    const last = contexts.length - 1;
    const from = (g * T + last) * L;
    const turn = [...shown.token_ntl.subarray(from, from + L)].filter(
      (_, l) => shown.mask_ntl[from + l] === 1,
    );
    return { context: contexts[last], turn };
  });
  return {
    ...batch,
    context_nt: batch.context_nt.map((own, n) =>
      own.map((context) => readAfter(policy, transcripts[groups[n]!]!, context)),
    ),
  };
}

/** An expert's episode as the policy reads it: the context of its last turn, and that turn. */
interface Transcript {
  readonly context: unknown;
  readonly turn: readonly number[];
}

const isTokens = (context: unknown): context is readonly number[] => Array.isArray(context);

function readAfter(policy: Policy, { context: shown, turn }: Transcript, own: unknown): unknown {
  if (typeof shown === "string" && typeof own === "string") return `${shown}>${turn.join(",")}|${own}`;
  if (!isTokens(shown) || !isTokens(own)) {
    throw new TypeError(
      `Cannot read a demonstration: the policy's context must be the tokens so far, as in an mlp, gru or transformer, or a text, ` +
        `as in a table, got ${JSON.stringify(own)}.`,
    );
  }
  // Both begin with the token that starts an episode, and so does what the policy makes of the two.
  const tokens = [...shown.slice(1), ...turn, ...own.slice(1)];
  const context = policy.contextOf({
    observations: [{ tokens, text: "" }],
    actions: [],
  }) as readonly number[];
  if (context.length === tokens.length + 1 && shown[0] === context[0] && own[0] === context[0])
    return context;
  throw new RangeError(
    `Cannot read a demonstration: the policy's window must hold it and the episode, ${tokens.length + 1} tokens before the turn, ` +
      `but it keeps ${context.length}.`,
  );
}
