import { createRng, type Rng } from "turnwise/internal/base/rng";
import type { Env } from "turnwise/internal/env/index";
import { exactTurns, type ExactTurns } from "turnwise/internal/exact/index";
import type { Policy } from "turnwise/internal/policy/policy";
import { collect, type Batch } from "turnwise/internal/rollout/index";
import { advantages, recipe, type Recipe } from "turnwise/internal/rule/index";
import { stepRewarderOf } from "turnwise/internal/train/stepReward/index";
import { verdictsOf } from "turnwise/internal/train/stepReward/verdicts";
import { monteCarloCredit } from "./monteCarloCredit";

/** Inputs of a method. */
export interface CreditInput {
  readonly batch: Batch;
  readonly env: Env;
  readonly policy: Policy;
  /** The one that the batch was collected with. */
  readonly rng: Rng;
  readonly exact: ExactTurns;
}

/** Credit of a method, and its cost besides the batch itself. */
export interface MethodCredit {
  /** [N, T, L]. */
  readonly advantage_ntl: Float64Array;
  /** Environment steps for each trajectory. */
  readonly steps: number;
  /** Evaluations of a policy for each trajectory, besides sampling the batch. */
  readonly evaluations: number;
}

type Method = (input: CreditInput) => MethodCredit;

const free = (advantage_ntl: Float64Array): MethodCredit => ({ advantage_ntl, steps: 0, evaluations: 0 });

/** The advantage of a rule that needs nothing but the batch. */
const ofRow =
  (rule: Recipe): Method =>
  ({ batch }) =>
    free(advantages(batch, rule, undefined, batch.oldLogProb_ntl).advantage_ntl);

/** The advantage of a rule with a step reward, computed as the trainer does. */
const withStep =
  (rule: Recipe): Method =>
  ({ batch, env, policy, rng }) => {
    const { step_nt, metrics } = stepRewarderOf(rule, policy)!.judge({ batch, policy, env, rng });
    const { advantage_ntl } = advantages({ ...batch, step_nt }, rule);
    return { advantage_ntl, steps: 0, evaluations: metrics["stepReward/evaluations"] ?? 0 };
  };

/** Batches of 64 on which iStar's second policy learns before it judges. */
const LESSONS = 60;

const taught: Method = ({ batch, env, policy, rng }) => {
  const rule = recipe("iStar");
  const rewarder = stepRewarderOf(rule, policy)!;
  for (let k = 0; k < LESSONS; k++) {
    const lesson = collect(env, policy, { groups: 8, groupSize: 8, rng: rng.split("lesson", k) });
    rewarder.judge({ batch: lesson, policy, env, rng });
  }
  const { step_nt, metrics } = rewarder.judge({ batch, policy, env, rng });
  const { advantage_ntl } = advantages({ ...batch, step_nt }, rule);
  return { advantage_ntl, steps: 0, evaluations: metrics["stepReward/evaluations"] ?? 0 };
};

/** MT-GRPO pays the first turn by a verifier of its own: here, the world's verdict on it. */
const firstTurnPaid: Method = ({ batch }) => {
  const [N, T] = batch.shape;
  const reward_nt = Float64Array.from(batch.reward_nt);
  const return_n = Float64Array.from(batch.return_n);
  const verdicts = verdictsOf(batch);
  for (let n = 0; n < N; n++) {
    if (batch.turnCount_n[n]! < 2) continue;
    const paid = verdicts[n * T] ?? 0;
    reward_nt[n * T]! += paid;
    return_n[n]! += paid;
  }
  return free(advantages({ ...batch, reward_nt, return_n }, recipe("mtGrpo")).advantage_ntl);
};

const tried: Method = ({ batch, env, policy, rng }) => {
  const { credit_nt, steps, evaluations } = monteCarloCredit(env, policy, batch, rng, 4);
  const [N] = batch.shape;
  return { advantage_ntl: perToken(batch, credit_nt), steps: steps / N, evaluations: evaluations / N };
};

const perfect: Method = ({ batch, exact }) => free(perToken(batch, exact.advantage_nt(batch)));

function perToken(batch: Batch, perTurn: ArrayLike<number>): Float64Array {
  const L = batch.shape[2];
  return Float64Array.from(batch.mask_ntl, (mask, i) => (mask === 1 ? perTurn[Math.floor(i / L)]! : 0));
}

/** Ways to say who gets the credit, from the whole return to the truth. */
export const creditMethods: Readonly<Record<string, Method>> = Object.freeze({
  "whole return": ofRow(recipe("drGrpo")),
  "GiGPO: same observation": ofRow(recipe("gigpo")),
  "leave-one-out per turn": ofRow(recipe("perTurnLoo")),
  "MT-GRPO: first turn paid": firstTurnPaid,
  "FSPO: sign by verdict": withStep(recipe("factualityFspo")),
  "RLAnything: votes": withStep(recipe("rlAnything")),
  "iStar: implicit reward": taught,
  "IGPO: information gain": withStep(recipe("igpo")),
  "Monte Carlo: four tries": tried,
  "exact advantage": perfect,
});

/** The credit that each method gives to every token of a batch of the policy's own. */
export function creditsOf(
  env: Env,
  policy: Policy,
  {
    groups,
    groupSize = 8,
    seed,
  }: { readonly groups: number; readonly groupSize?: number; readonly seed: number },
): {
  readonly batch: Batch;
  readonly exact: ExactTurns;
  readonly credits: Readonly<Record<string, MethodCredit>>;
} {
  const rng = createRng(seed).split("stepCredit");
  const batch = collect(env, policy, { groups, groupSize, rng });
  const exact = exactTurns(env, policy);
  const input = { batch, env, policy, rng, exact };
  const credits = Object.fromEntries(Object.entries(creditMethods).map(([name, of]) => [name, of(input)]));
  return { batch, exact, credits };
}
