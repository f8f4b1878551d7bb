import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng } from "turnwise/internal/base/rng";
import type { Batch } from "turnwise/internal/batch/batch";
import { lookUp } from "turnwise/internal/env/lookUp";
import { valueOfPolicy } from "turnwise/internal/exact/enumerateReturn";
import { TabularPolicy } from "turnwise/internal/policy/tabular";
import { collect } from "turnwise/internal/rollout/collect";
import { groupAdvantage64 } from "turnwise/internal/rule/advantage/groupAdvantage";
import { boundMet } from "turnwise/internal/rule/gate/clip";

/** Use of one batch again and again. */
export interface Reuse {
  /** Which batch of tries, from 1 on; batch 1 is that of lesson 01. */
  readonly batch: number;
  readonly passes: number;
  readonly rate: number;
  /** Width of the clip; Infinity if there is none. */
  readonly clip: number;
}

/** The agent after some passes over its batch: exact numbers of the policy, none of them is estimated. */
export interface Pass {
  /** Probability of each word of the vocabulary as the first one of a try. */
  readonly first: readonly number[];
  /** Exact expected return. */
  readonly J: number;
  /** The largest ratio of a token of the batch: how much likelier it is now than when it was sampled. */
  readonly ratio: number;
}

const world = lookUp({ wrongPenalty: 1 / 3 });
export const words: readonly string[] = world.spec.vocabulary;
export const [ANSWER, LOOKUP] = [0, 1];

/** An agent that knows the form of a call and nothing else, as in lesson 01. */
const newcomer = (): TabularPolicy => new TabularPolicy(world.spec, { syntaxPrior: 3 });

const batches = new Map<number, Batch>();

/** Eight groups of eight tries of a newcomer, with the dice of the trainer. */
function batchOf(number: number): Batch {
  const known = batches.get(number);
  if (known) return known;
  const rng = createRng(number - 1)
    .split("train")
    .split("update", 1)
    .split("rollout");
  const batch = collect(world, newcomer(), { groups: 8, groupSize: 8, rng });
  batches.set(number, batch);
  return batch;
}

/** The agent before the first pass and after each one: GRPO's loop of lesson 01, plain gradient steps on one batch. */
function* played({ batch: number, passes, rate, clip }: Reuse) {
  const batch = batchOf(number);
  const [N, T, L] = batch.shape;
  const advantage_n = groupAdvantage64(batch.return_n, batch.groupId, { baseline: "mean", scale: "group" });
  const [low, high] = [Math.max(1 - clip, 0), 1 + clip];
  const policy = newcomer();
  for (let pass = 0; ; pass++) {
    const { logProb_ntl } = policy.evaluate(batch);
    const ratio_ntl = logProb_ntl.map((now, i) =>
      batch.mask_ntl[i] === 1 ? exp(now - batch.oldLogProb_ntl[i]!) : 0,
    );
    yield { policy, first: firstOf(policy, batch), ratio_ntl };
    if (pass === passes) return;
    const dLogProb_ntl = ratio_ntl.map((ratio, i) => {
      const A = advantage_n[Math.floor(i / (T * L))]!;
      return boundMet(ratio, A, low, high) === 0 ? (ratio * A) / N : 0;
    });
    const uphill = policy.backward(batch, { dLogProb_ntl });
    uphill.forEach((step, k) => (policy.parameters[k]! += rate * step));
  }
}

/** Probabilities of the first word: every try begins with the same question. */
const firstOf = (policy: TabularPolicy, { context_nt }: Batch): readonly number[] =>
  Array.from(policy.nextTokenLogProb(context_nt[0]![0], []), exp);

export const passesOf = (reuse: Reuse): readonly Pass[] =>
  Array.from(played(reuse), ({ policy, first, ratio_ntl }) => ({
    first,
    J: valueOfPolicy(world, policy),
    ratio: ratio_ntl.reduce((most, one) => Math.max(most, one), 0),
  }));

/** P(LOOKUP) after the last pass. */
export function endOf(reuse: Reuse): number {
  let end = NaN;
  for (const { first } of played(reuse)) end = first[LOOKUP]!;
  return end;
}
