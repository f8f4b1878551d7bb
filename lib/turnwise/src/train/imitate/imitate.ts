import { DelayedProgressBar } from "../../base/delayedProgressBar";
import type { Rng } from "../../base/rng";
import { onInterrupt } from "../../base/session";
import type { Batch } from "../../batch/batch";
import type { Env } from "../../env/env";
import type { Policy } from "../../policy/policy";
import { periodicYield } from "../periodicYield";
import { demonstrationBatch, demonstrations } from "./demonstrations";
import { Imitation } from "./imitation";
import { readImitateOptions, type ImitateOptions } from "./options";
import { imitationStep } from "./step";

/**
 * Teaches a policy a teacher's turns, in place: the counterpart of a language model's supervised fine-tuning before RL.
 *
 * ```
 * minimize -mean over the teacher's tokens of log pi(token | context)
 * ```
 * What the environment says is context and never in the loss. An interrupt ends it early; the policy keeps what it has learned.
 *
 * @throws {RangeError} if an option is unknown or out of range, a turn of the teacher is none that the environment takes,
 *   or the loss is not finite; the policy then stands before the step that failed
 * @throws {TypeError} if an option is missing or has the wrong type
 * @example
 * import { createPolicy, imitate, make } from "turnwise";
 * const env = make("LookUp-v0");
 * const [LOOKUP, zero] = [1, 2]; // places in env.spec.vocabulary
 * const teacher = () => [LOOKUP, zero];
 * const { losses } = await imitate(env, createPolicy(env.spec), { teacher, episodes: 4, steps: 50 });
 * losses[0]! > losses.at(-1)!; // => true
 */
export async function imitate(env: Env, policy: Policy, options: ImitateOptions): Promise<Imitation> {
  const o = readImitateOptions(options);
  const shown = demonstrations(env, policy, o);
  const tokens = shown.reduce((sum, turn) => sum + turn.tokens.length, 0);
  const next = batches(
    (places) =>
      demonstrationBatch(
        places.map((i) => shown[i]!),
        env.spec.maxTokens,
      ),
    {
      turns: shown.length,
      size: o.turnsPerStep === 0 ? shown.length : Math.min(o.turnsPerStep, shown.length),
      rng: o.rng,
    },
  );
  const bar = new DelayedProgressBar({ label: "imitation", total: o.steps, metric: "loss" });
  const breathe = periodicYield();
  const losses: number[] = [];
  let stopped = false;
  const unlisten = onInterrupt(() => (stopped = true));
  try {
    while (losses.length < o.steps) {
      await breathe();
      if (stopped || o.signal?.aborted) break;
      losses.push(imitationStep(policy, next(), o.optimizer, losses.length + 1));
      bar.add({ loss: losses.at(-1)! });
    }
  } finally {
    unlisten();
    bar.end();
  }
  if (stopped) {
    console.warn(
      `Interrupted: ${losses.length} of ${o.steps} steps are taken, and the policy keeps what it has learned.`,
    );
  }
  return new Imitation(losses, shown.length, tokens, o.steps);
}

/** Batches of that many turns, without replacement until all have been seen; a batch of all of them is made once. */
function batches(
  make: (places: readonly number[]) => Batch,
  { turns, size, rng }: { readonly turns: number; readonly size: number; readonly rng: Rng },
): () => Batch {
  const places = Array.from({ length: turns }, (_, i) => i);
  if (size === turns) {
    const all = make(places);
    return () => all;
  }
  let waiting: readonly number[] = [];
  let pass = 0;
  return () => {
    if (waiting.length === 0) waiting = rng.split("order", pass++).shuffle(places);
    const batch = make(waiting.slice(0, size));
    waiting = waiting.slice(size);
    return batch;
  };
}
