import { exp } from "../../base/elementary/exp";
import type { Batch } from "../../batch/batch";
import type { GoldAnswer, TurnInfo } from "../../env/env";
import { contextKey, type Policy } from "../../policy/policy";
import type { StepOutput } from "./contract";

/**
 * Increase of the policy's belief in the true answer over a turn, for every turn but a trajectory's last.
 *
 * ```
 * r_t = weight (p_{t+1} - p_t),   p_t = exp(mean over the answer's tokens of log pi(token | h_t, tokens before it))
 * ```
 *
 * The answer is announced first, as if the policy had decided to hand it in. The gains of a trajectory sum to what it knew before
 * its last turn minus what it knew at the start. Turns of a world without an answer earn nothing.
 *
 * One evaluation of the policy for each turn is what it costs; equal contexts are evaluated once here and counted each.
 *
 * @see IGPO, arXiv 2510.14967; scrl/llm_agent/generation.py:295 and :410 in GuoqingWang1/IGPO at bff163b
 */
export const informationGain = (batch: Batch, policy: Policy, weight: number): StepOutput =>
  gains(batch, policy, weight, answerProbability);

/**
 * The same in nats: increase of the mean log-prob of the answer's tokens.
 *
 * @see A²TGPO, arXiv 2605.06200, Figure 2; its Eq. 3 has the probability, and the authors' code the log-prob
 */
export const evidence = (batch: Batch, policy: Policy): StepOutput => gains(batch, policy, 1, answerLogProb);

/** Increase of a belief in the true answer over each turn but a trajectory's last, times the weight. */
function gains(
  batch: Batch,
  policy: Policy,
  weight: number,
  of: (policy: Policy, context: unknown, gold: GoldAnswer) => number,
): StepOutput {
  const [N, T] = batch.shape;
  const step_nt = new Float64Array(N * T);
  const known = new Map<string, number>();
  const belief = (context: unknown, gold: GoldAnswer): number => {
    const key = `${gold.answer.join()}/${contextKey(context)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = of(policy, context, gold);
    known.set(key, found);
    return found;
  };
  let turns = 0;
  let judged = 0;
  let evaluations = 0;
  let sum = 0;
  for (let n = 0; n < N; n++) {
    const length = batch.turnCount_n[n]!;
    turns += length;
    const gold = goldOf(batch, n);
    if (gold === undefined) continue;
    evaluations += length;
    const contexts = batch.context_nt[n]!;
    for (let t = 0; t + 1 < length; t++) {
      const gain = weight * (belief(contexts[t + 1], gold) - belief(contexts[t], gold));
      step_nt[n * T + t] = gain;
      judged++;
      sum += gain;
    }
  }
  return {
    step_nt,
    metrics: {
      "stepReward/fracJudged": judged / turns,
      "stepReward/evaluations": evaluations / N,
      ...(judged > 0 && { "stepReward/mean": sum / judged }),
    },
  };
}

/** exp of the mean log-prob of the answer's tokens, given that the policy announces an answer here. */
export const answerProbability = (policy: Policy, context: unknown, gold: GoldAnswer): number =>
  exp(answerLogProb(policy, context, gold));

function answerLogProb(policy: Policy, context: unknown, { before, answer }: GoldAnswer): number {
  let total = 0;
  answer.forEach((token, l) => {
    total += policy.nextTokenLogProb(context, [...before, ...answer.slice(0, l)])[token]!;
  });
  return total / answer.length;
}

function goldOf(batch: Batch, n: number): GoldAnswer | undefined {
  const info: TurnInfo | undefined = batch.info_nt?.[n]?.[0];
  return info?.gold;
}
