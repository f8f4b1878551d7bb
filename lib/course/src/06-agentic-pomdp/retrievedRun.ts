import { longPages, make, sharedVocabulary, type Env } from "turnwise/internal/env/index";
import { createPolicy, type Policy } from "turnwise/internal/policy/index";
import { collect, withRetrieved } from "turnwise/internal/rollout/index";
import { recipe, type Recipe } from "turnwise/internal/rule/index";
import { createRng } from "turnwise/internal/base/rng";
import { imitate, train, type RetrievedTokens } from "turnwise/internal/train/index";

/** Whether retrieved tokens are trained on, and with which seed. */
export interface RetrievedOptions {
  readonly retrieved: RetrievedTokens;
  readonly seed: number;
  /** Random words behind every answer. Default 0. */
  readonly words?: number;
  /** Default 120. */
  readonly updates?: number;
  /** Default Adam at .01. */
  readonly learningRate?: number;
}

/** Result of training with the mask, or without. */
export interface RetrievedResult {
  /** Success, averaged over the last quarter of the updates. */
  readonly success: number;
  /** Success at the start, 400 episodes. */
  readonly before: number;
  /** Success of each update. */
  readonly curve: readonly number[];
  /** Share of turns in which the trained policy writes what only the environment should write, over 400 episodes. */
  readonly forged: number;
  /** Error of the policy's predictions of the environment's answers, in nats per token, at the start and at the end. */
  readonly answerLoss: readonly [before: number, after: number];
}

const EPISODES = 400;
const SKILL = 0.3;

/** LookUp-v0 with one vocabulary for agent and environment. */
export function retrievedWorld(words = 0): Env {
  const lookUp = make("LookUp-v0");
  return sharedVocabulary(words === 0 ? lookUp : longPages(lookUp, { words }));
}

/** GRPO without a std, with two steps of Adam per batch. */
export function retrievedRecipe(learningRate = 0.01): Recipe {
  return recipe("grpo", {
    scale: "none",
    update: { epochs: 1, minibatches: 2, optimizer: { kind: "adam", learningRate } },
  });
}

/**
 * An MLP over the latest tokens that has imitated 300 episodes of a teacher. In three turns of ten the teacher looks up and
 * answers what it saw; otherwise it writes any well-formed call.
 */
export async function retrievedStart(env: Env, seed: number): Promise<Policy> {
  const policy = createPolicy(env.spec, { kind: "mlp", width: 16, window: 24, seed, compute: "wasm" });
  const [LOOKUP, ANSWER] = ["LOOKUP", "ANSWER"].map((word) => env.spec.vocabulary.indexOf(word)) as [
    number,
    number,
  ];
  const values = [0, 1, 2, 3].map((value) => env.spec.vocabulary.indexOf(String(value)));
  const facts = values.map((_, value) => env.spec.vocabulary.indexOf(`fact=${value}`));
  await imitate(env, policy, {
    teacher: ({ observations }, rng) => {
      const any = values[rng.below(values.length)]!;
      if (rng.next() >= SKILL) return [rng.below(2) === 0 ? LOOKUP : ANSWER, any];
      const fact = facts.indexOf(observations.at(-1)!.tokens[0]!);
      return fact < 0 ? [LOOKUP, any] : [ANSWER, values[fact]!];
    },
    episodes: 300,
    steps: 150,
    learningRate: 2,
    rng: createRng(seed).split("retrievedStart"),
  });
  return policy;
}

/** Trains the imitating start with the environment's answers masked, or in the loss like the policy's own tokens. */
export async function retrievedRun(o: RetrievedOptions): Promise<RetrievedResult> {
  const { retrieved, seed, words = 0, updates = 120 } = o;
  const env = retrievedWorld(words);
  const policy = await retrievedStart(env, seed);
  const start = played(env, policy, seed);
  const curve: number[] = [];
  const run = train({
    env,
    policy,
    recipe: retrievedRecipe(o.learningRate),
    updates,
    seed,
    observationTokens: retrieved,
  });
  for await (const { metrics } of run) curve.push(metrics["success/mean"]!);
  const end = played(env, policy, seed);
  const last = curve.slice(-Math.ceil(updates / 4));
  return {
    success: last.reduce((sum, x) => sum + x, 0) / last.length,
    before: start.success,
    curve,
    forged: end.forged,
    answerLoss: [start.answerLoss, end.answerLoss],
  };
}

/**
 * `retrievedRun` as a job of a sweep.
 *
 * @public
 */
export function retrievedJob(options: RetrievedOptions): Promise<RetrievedResult> {
  return retrievedRun(options);
}

function played(
  env: Env,
  policy: Policy,
  seed: number,
): { success: number; forged: number; answerLoss: number } {
  const rng = createRng(seed).split("retrievedRun");
  const batch = collect(env, policy, { groups: EPISODES, groupSize: 1, rng });
  const turns = batch.info_nt!.flat();
  const all = withRetrieved(batch, policy, env.spec.vocabulary.length);
  const [, T, L] = all.shape;
  let loss = 0;
  let count = 0;
  all.agentId_nt!.forEach((writers, n) => {
    writers.forEach((writer, t) => {
      for (let i = (n * T + t) * L; i < (n * T + t + 1) * L; i++) {
        if (writer !== "environment" || all.mask_ntl[i] !== 1) continue;
        loss -= all.oldLogProb_ntl[i]!;
        count += 1;
      }
    });
  });
  return {
    success: batch.info_nt!.filter((own) => own.at(-1)!["success"] === true).length / EPISODES,
    forged: turns.filter((info) => info["forged"] === true).length / turns.length,
    answerLoss: loss / Math.max(1, count),
  };
}
