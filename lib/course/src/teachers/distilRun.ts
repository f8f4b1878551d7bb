import { createRng } from "turnwise/internal/base/rng";
import { make, type Env } from "turnwise/internal/env/index";
import { enumerateReturn, optimalReturn, randomReturn } from "turnwise/internal/exact/index";
import { optimalPolicy } from "turnwise/internal/exact/optimalPolicy";
import { createPolicy } from "turnwise/internal/policy/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { recipe } from "turnwise/internal/rule/index";
import { train } from "turnwise/internal/train/index";
import { demonstrationBatch, demonstrations } from "turnwise/internal/train/imitate/demonstrations";
import { createOptimizer } from "turnwise/internal/train/optimizer";
import type { JobContext } from "turnwise/internal/sweep/job";
import { afterASlip } from "./afterASlip";

/** Small worlds of several turns, in which a first turn that went wrong can be made good again in part. */
export const taughtWorlds = Object.freeze(["LookUp-v0", "KeyDoor-v0", "TMaze-v0"] as const);

/** Ways to learn from a teacher: his grades on your own states, his turns on his, or the reward alone. */
export const distilArms = Object.freeze(["on-policy distillation", "imitation", "GRPO"] as const);

/** A run of the study: a table that is uniform at the start. */
export interface DistilJob {
  readonly world: (typeof taughtWorlds)[number];
  readonly arm: (typeof distilArms)[number];
  readonly seed: number;
  /** Default 60. */
  readonly updates?: number;
}

/** Result of a run. */
export interface DistilResult {
  /** Tokens and steps of the environment that were taken by then: by the student, or by the teacher who is imitated. */
  readonly tokens: number;
  readonly steps: number;
  /** From random (0) to optimal (1), exactly. */
  readonly score: number;
  /** The same when the first turn is a random one, against random and best play after such a turn. */
  readonly afterSlip: number;
  /** Tokens until the score was .8 for the first time, looked at every other update; all that were taken if it never was. */
  readonly tokensToTarget: number;
  readonly reached: boolean;
}

const TARGET = 0.8;
const EPISODES = 64;

/**
 * Trains by one step of Adam at .1 an update, each on 64 fresh episodes: 8 x 8 of the student, graded or paid, or 64 of the teacher.
 *
 * The teacher is the exact optimum, softened to full support by .01.
 */
export async function distilRun(
  { world, arm, seed, updates = 60 }: DistilJob,
  report: (fraction: number) => void = () => undefined,
): Promise<DistilResult> {
  const env = make(world);
  const scoreOf = scores(env);
  const learned = arm === "imitation" ? imitated(env, seed) : graded(env, arm, seed, updates);
  let tokens = 0;
  let steps = 0;
  let reachedAt: number | undefined;
  for (let update = 1; update <= updates; update++) {
    const taken = await learned.next();
    tokens += taken.tokens;
    steps += taken.steps;
    if (reachedAt === undefined && update % 2 === 0 && scoreOf.plain(learned.policy) >= TARGET)
      reachedAt = tokens;
    report(update / updates);
  }
  return {
    tokens,
    steps,
    score: scoreOf.plain(learned.policy),
    afterSlip: scoreOf.afterSlip(learned.policy),
    tokensToTarget: reachedAt ?? tokens,
    reached: reachedAt !== undefined,
  };
}

interface Learned {
  readonly policy: Policy;
  /** Makes one update and says what it took. */
  next(): Promise<{ readonly tokens: number; readonly steps: number }>;
}

function graded(
  env: Env,
  arm: Exclude<DistilJob["arm"], "imitation">,
  seed: number,
  updates: number,
): Learned {
  const update = { epochs: 1, minibatches: 1, optimizer: { kind: "adam", learningRate: 0.1 } } as const;
  const rule = recipe(arm === "GRPO" ? "grpo" : "onPolicyDistillation", { update });
  const run = train({ env, recipe: rule, updates, seed, groups: 8, groupSize: EPISODES / 8 });
  return {
    policy: run.policy,
    async next() {
      const { value } = await run.next();
      const metrics = value!.metrics;
      return { tokens: metrics["tokens/mean"]! * EPISODES, steps: metrics["turns/mean"]! * EPISODES };
    },
  };
}

function imitated(env: Env, seed: number): Learned {
  const teacher = optimalPolicy(env);
  const policy = createPolicy(env.spec, { seed });
  const optimizer = createOptimizer({ kind: "adam", learningRate: 0.1 });
  const rng = createRng(seed).split("imitated");
  let update = 0;
  return {
    policy,
    next() {
      const shown = demonstrations(env, policy, {
        teacher: (history, own) => teacher.sample([history], [own])[0]!.tokens,
        episodes: EPISODES,
        rng: rng.split("update", update++),
      });
      const batch = demonstrationBatch(shown, env.spec.maxTokens);
      const tokens = batch.mask_ntl.reduce((sum, mask) => sum + mask, 0);
      const dLogProb_ntl = Float64Array.from(batch.mask_ntl, (mask) => -mask / tokens);
      optimizer.step(policy.parameters, policy.backward(batch, { dLogProb_ntl }));
      return Promise.resolve({ tokens, steps: shown.length });
    },
  };
}

function scores(env: Env): Readonly<Record<"plain" | "afterSlip", (policy: Policy) => number>> {
  const J = (policy: Policy): number => enumerateReturn(env, policy, { gradient: false }).J;
  const random = randomReturn(env);
  const best = optimalReturn(env).J;
  const bestAfter = J(afterASlip(env, optimalPolicy(env, { softness: 0 })));
  return {
    plain: (policy) => (J(policy) - random) / (best - random),
    afterSlip: (policy) => (J(afterASlip(env, policy)) - random) / (bestAfter - random),
  };
}

/**
 * `distilRun` as a job of a sweep.
 *
 * @public
 */
export function distilJob(job: DistilJob, { report }: JobContext): Promise<DistilResult> {
  return distilRun(job, report);
}
