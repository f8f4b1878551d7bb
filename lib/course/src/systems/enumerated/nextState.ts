import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import { createRng } from "turnwise/internal/base/rng";
import type { Batch } from "turnwise/internal/batch/batch";
import { TabularPolicy } from "turnwise/internal/policy/index";
import { collect } from "turnwise/internal/rollout/collect";
import { advantages, recipe, surrogateGradient, type Recipe } from "turnwise/internal/rule/index";
import { createOptimizer } from "turnwise/internal/train/index";
import { nextStateEnv, WORDS, type Judges, type NextState } from "./nextStateWorld";
import { exactReturn, type ArmRun, type Outcome } from "./outcome";

interface NextStateArm {
  /** Whether each reply is paid its vote, or the outcome its episode. */
  readonly votes?: true;
  readonly outcome?: true;
  /** Distillation of the directive: at the word that was said, or at all words. */
  readonly directive?: "said" | "all";
}

/** Sources that the agent learns from. */
export const nextStateArms = Object.freeze({
  "outcome alone": { outcome: true },
  votes: { votes: true },
  "directives at the said word": { directive: "said" },
  "votes and directives": { votes: true, directive: "said" },
  "directives at all words": { directive: "all" },
} satisfies Readonly<Record<string, NextStateArm>>);

/** An arm of `nextStateArms`. */
export type NextStateArmName = keyof typeof nextStateArms;

/**
 * Qualities of the judges. As first set: one vote of five is wrong, half of the complaints have a directive, and one of ten names a wrong
 * word; then with votes or directives that err more often.
 */
export const nextStateJudges = Object.freeze({
  good: { error: 0.2, accepted: 0.5, wrong: 0.1 },
  "votes err": { error: 0.4, accepted: 0.5, wrong: 0.1 },
  "directives err": { error: 0.2, accepted: 0.5, wrong: 0.5 },
} satisfies Readonly<Record<string, Judges>>);

/** A quality of the judges. */
export type JudgesName = keyof typeof nextStateJudges;

/** Log-odds by which a policy that reads a directive prefers the word that it names: its skill in following instructions. */
export const FOLLOWS = 4;

const UPDATES = 80;
/** Optimizer steps on a batch, over all of it. */
const PASSES = 4;

/** As released: advantages as they are, and a clip of .2 and .28. */
const rule = recipe("grpo", {
  scale: "none",
  aggregate: "tokenMean",
  gate: { clipLow: 0.2, clipHigh: 0.28 },
});
const distil = recipe("grpo", {
  aggregate: "tokenMean",
  regularizer: { klReference: { coef: 1, estimator: "exact" } },
});

/**
 * Log-probs of all words for the same policy once it reads a directive: a hinted and an unhinted history share all but one weight.
 *
 * ```
 * nu(v | x, directive) = softmax(logits(v | x) + FOLLOWS [v = directive])
 * ```
 */
export function withDirective(logProb_v: ArrayLike<number>, directive: number): Float64Array {
  const others = exp(FOLLOWS) - 1;
  const total = log(1 + exp(logProb_v[directive]!) * others);
  return Float64Array.from(logProb_v, (logProb, v) => logProb + (v === directive ? FOLLOWS : 0) - total);
}

/** The lesson of a batch of single replies. */
interface Lesson {
  readonly rule: Recipe;
  readonly batch: Batch;
  readonly advantage_ntl: Float64Array;
  /** The policy that has read the directives, in the cells that are learned from. */
  readonly refLogProb_ntlv?: Float64Array;
}

/**
 * The advantages of an arm, as released: a vote is its own advantage; a directive's is log nu - log pi at the word that was said; both are
 * added. A reply that has neither is left out. Distillation at all words is the KL to nu instead.
 */
export function lessonOf(arm: NextStateArmName, batch: Batch, logProb_ntlv: Float64Array): Lesson {
  const { votes, outcome, directive }: NextStateArm = nextStateArms[arm];
  const [N, T] = batch.shape;
  if (outcome) {
    const grpo = recipe("grpo");
    return { rule: grpo, batch, advantage_ntl: advantages(batch, grpo).advantage_ntl };
  }
  const mask_ntl = new Uint8Array(N * T);
  const advantage_ntl = new Float64Array(N * T);
  const refLogProb_ntlv = Float64Array.from(logProb_ntlv);
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      const i = n * T + t;
      const next = batch.info_nt![n]![t] as unknown as NextState;
      const own = logProb_ntlv.subarray(i * WORDS, (i + 1) * WORDS);
      const isDirected = directive !== undefined && next.directive >= 0;
      if (votes) advantage_ntl[i] = next.vote;
      if (isDirected) {
        const read = withDirective(own, next.directive);
        refLogProb_ntlv.set(read, i * WORDS);
        const said = batch.token_ntl[i]!;
        if (directive === "said") advantage_ntl[i] = advantage_ntl[i]! + read[said]! - own[said]!;
      }
      mask_ntl[i] = votes || isDirected ? 1 : 0;
    }
  }
  const masked = { ...batch, mask_ntl };
  return directive === "all"
    ? { rule: distil, batch: masked, advantage_ntl, refLogProb_ntlv }
    : { rule, batch: masked, advantage_ntl };
}

/** Trains a uniform table on 8 x 8 episodes an update, and enumerates how often all replies are right, on the way and at the end. */
export async function nextStateRun(
  { arm, judges }: { readonly arm: NextStateArmName; readonly judges: JudgesName },
  { rate, seed, report }: ArmRun,
): Promise<Outcome> {
  const env = nextStateEnv(nextStateJudges[judges]);
  // Judges change what is learned from, and not what is right: without them there are fewer cases to enumerate.
  const unjudged = nextStateEnv({ error: 0, accepted: 0, wrong: 0 });
  const policy = new TabularPolicy(env.spec, { memory: "observation" });
  const optimizer = createOptimizer({ kind: "adam", learningRate: rate });
  const rng = createRng(seed);
  let [samples, steps, optimizerSteps, onTheWay] = [0, 0, 0, 0];
  for (let update = 1; update <= UPDATES; update++) {
    const played = collect(env, policy, { groups: 8, groupSize: 8, rng: rng.split("rollout", update) });
    samples += played.shape[0];
    steps += played.turnCount_n.reduce((sum, turns) => sum + turns, 0);
    const before = policy.evaluate(played, undefined, undefined, undefined, { distributions: true });
    const {
      batch,
      advantage_ntl,
      refLogProb_ntlv,
      rule: own,
    } = lessonOf(arm, played, before.logProb_ntlv!.slice());
    if (batch.mask_ntl.includes(1)) {
      for (let pass = 0; pass < PASSES; pass++) {
        const now = policy.evaluate(batch, undefined, undefined, undefined, { distributions: true });
        const gradient = surrogateGradient(
          { ...batch, ...now, advantage_ntl, ...(refLogProb_ntlv && { refLogProb_ntlv }) },
          own,
        );
        optimizer.step(policy.parameters, policy.backward(batch, gradient));
        optimizerSteps++;
      }
    }
    onTheWay += exactReturn(unjudged, policy) / UPDATES;
    report(update / UPDATES);
    await Promise.resolve();
  }
  const success = exactReturn(unjudged, policy);
  return { success, second: onTheWay, trained: onTheWay, samples, steps, optimizerSteps };
}

/**
 * Difference between the gradients of two logits, of the word that a directive names and of another word that was not said, by one reply:
 * distilled at the word that was said, and at all words.
 *
 * ```
 * said:  A d log pi(said) / d logit_v = A ([v = said] - pi_v),   A = log nu(said) - log pi(said)
 * all:   - d KL(pi || nu) / d logit_v = pi_v (log nu_v - log pi_v + KL)
 * ```
 * So at the said word, two words of equal probability that were not said are raised alike, whichever one the directive names.
 */
export function directivePull(
  logProb_v: ArrayLike<number>,
  { said, directive, other }: { readonly said: number; readonly directive: number; readonly other: number },
): { readonly said: number; readonly all: number } {
  const p = Array.from(logProb_v, (logProb) => exp(logProb));
  const gap = Array.from(withDirective(logProb_v, directive), (logProb, v) => logProb - logProb_v[v]!);
  const kl = -gap.reduce((sum, one, v) => sum + p[v]! * one, 0);
  const atSaid = (v: number): number => gap[said]! * ((v === said ? 1 : 0) - p[v]!);
  const atAll = (v: number): number => p[v]! * (gap[v]! + kl);
  return { said: atSaid(directive) - atSaid(other), all: atAll(directive) - atAll(other) };
}
