import { log } from "../base/elementary/log";
import { square } from "../base/elementary/square";
import { createRng } from "../base/rng";
import { mean } from "../base/statistics";
import { dot } from "../base/vectors";
import type { Batch } from "../batch/batch";
import type { Env } from "../env/env";
import { createPolicy } from "../policy";
import type { Policy } from "../policy/policy";
import { advantages, recipe, type Recipe } from "../rule";
import { countGroups, drawnBatch, everyGroup, sampledDraws } from "./draws";
import {
  contextValues,
  exactGradient,
  placeOf,
  probabilities,
  trajectoriesOf,
  type Trajectories,
} from "./trajectories";
import { delayedEffect, recovery, stopOrGo } from "./worlds";

/** One of AgentCreditBench's three processes with the policy at which credit is judged. */
export interface CreditProcess {
  readonly name: "delayed" | "recovery" | "stopOrGo";
  readonly env: Env;
  /** P(first token) at every turn: 1/2 is uniform. */
  readonly first: number;
}

/** The three processes, as short as they are enumerated here. */
export const creditProcesses: readonly CreditProcess[] = Object.freeze([
  { name: "delayed", env: delayedEffect(3), first: 0.5 },
  { name: "recovery", env: recovery(), first: 0.5 },
  { name: "stopOrGo", env: stopOrGo(4), first: 0.5 },
]);

/** Rules whose advantage and scale are judged; the rest of the rule plays no part. */
export const creditRows: Readonly<Record<string, Recipe>> = Object.freeze({
  return: recipe("reinforce"),
  "return, batch scale": recipe("reinforce", { scale: "batch" }),
  leaveOneOut: recipe("rloo"),
  mean: recipe("drGrpo"),
  "mean, group scale": recipe("grpo"),
  perTurn: recipe("drGrpo", { advantage: { kind: "perTurn", credit: "rewardToGo" } }),
  gigpo: recipe("gigpo"),
  "gigpo, gamma 1, group scale": recipe("gigpo", { scale: "group", advantage: { gamma: 1 } }),
  "gae, lambda 1": recipe("ppo", { scale: "none", advantage: { gamma: 1, lambda: 1 } }),
  "gae, lambda 0": recipe("ppo", { scale: "none", advantage: { gamma: 1, lambda: 0 } }),
});

/** The benchmark's two families of figures: is it the advantage, and does it give the gradient. */
export interface CreditFigures {
  readonly advantage: string;
  readonly process: CreditProcess["name"];
  readonly groupSize: number;
  readonly method: "enumerated" | "sampled";
  /** Mean over batches of the root of the mean squared distance to the exact advantage, over turns; reward. */
  readonly rmse: number;
  /** Share of turns of nonzero exact advantage whose credit has its sign; NaN if no turn has one. */
  readonly signAccuracy: number;
  /** Share of all absolute credit that lies on turns of exact advantage 0. */
  readonly leakage: number;
  /** Cosine of the expected gradient with the exact one. */
  readonly expectedCosine: number;
  /** |E g - grad J| / |grad J|. */
  readonly relativeError: number;
  /** E |g - grad J|^2 / |grad J|^2. */
  readonly gradientMse: number;
}

interface Place {
  readonly all: Trajectories;
  readonly policy: Policy;
  readonly p_n: Float64Array;
  readonly values: ReadonlyMap<string, number>;
  readonly gradient: Float64Array;
  /** A(context, turn) by context and tokens. */
  readonly advantage: ReadonlyMap<string, number>;
}

function placeFor({ env, first }: CreditProcess): Place {
  const policy = createPolicy(env.spec, { memory: "turnObservation" });
  trajectoriesOf(env, policy); // the table meets its contexts
  const logit = log(first / (1 - first));
  for (let i = 0; i < policy.parameters.length; i += 2) policy.parameters[i] = logit;
  const all = trajectoriesOf(env, policy);
  const p_n = probabilities(all, all.batch.oldLogProb_ntl);
  const values = contextValues(all, p_n);
  const { gradient } = exactGradient(all, policy);
  return { all, policy, p_n, values, gradient, advantage: exactAdvantage(all, p_n, values) };
}

function actionOf(batch: Batch, n: number, t: number): string {
  const [, T, L] = batch.shape;
  return `${placeOf(batch, n, t)} ${batch.token_ntl.subarray((n * T + t) * L, (n * T + t + 1) * L).join(",")}`;
}

/** Q - V of every context and turn, from the trajectories that go through them. */
function exactAdvantage(
  { batch }: Trajectories,
  p_n: Float64Array,
  values: ReadonlyMap<string, number>,
): Map<string, number> {
  const [N, T] = batch.shape;
  const mass = new Map<string, number>();
  const sum = new Map<string, number>();
  for (let n = 0; n < N; n++) {
    let toGo = 0;
    for (let t = batch.turnCount_n[n]! - 1; t >= 0; t--) {
      toGo += batch.reward_nt[n * T + t]!;
      const key = actionOf(batch, n, t);
      mass.set(key, (mass.get(key) ?? 0) + p_n[n]!);
      sum.set(key, (sum.get(key) ?? 0) + p_n[n]! * (toGo - values.get(placeOf(batch, n, t))!));
    }
  }
  return new Map([...sum].map(([key, x]) => [key, x / mass.get(key)!]));
}

/** Credit of each turn [N, T] under a rule, with a critic that knows the values. */
function creditOf(batch: Batch, rule: Recipe, values: ReadonlyMap<string, number>): Float64Array {
  const [N, T, L] = batch.shape;
  const value_nt = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < batch.turnCount_n[n]!; t++) value_nt[n * T + t] = values.get(placeOf(batch, n, t))!;
  }
  const { advantage_ntl } = advantages(batch, rule, value_nt, batch.oldLogProb_ntl);
  return value_nt.map((_, nt) => advantage_ntl[nt * L]!);
}

/** Exact advantages below this count as 0, as in the benchmark. */
const ZERO = 1e-8;

/**
 * The benchmark's figures of an advantage on a process, batches being one group of G; exact where there are at most
 * `enumerate` groups, else over 400 sampled ones.
 */
export function creditFigures(
  name: string,
  rule: Recipe,
  process: CreditProcess,
  o: { readonly groupSize: number; readonly enumerate?: number },
): CreditFigures {
  const { all, policy, p_n, values, gradient, advantage } = placeFor(process);
  const { groupSize, enumerate = 5000 } = o;
  const exact = countGroups(all, groupSize) <= enumerate;
  const draws = exact
    ? everyGroup(all, p_n, groupSize)
    : sampledDraws(all, p_n, { count: 400, groups: 1, groupSize, rng: createRng(0) });
  const sums = { rmse: 0, sign: 0, judged: 0, leakage: 0, mse: 0 };
  const expected = new Float64Array(gradient.length);
  const power = dot(gradient, gradient);
  for (const { members, weight } of draws) {
    const batch = drawnBatch(all, members);
    const credit_nt = creditOf(batch, rule, values);
    const { rmse, leakage, scored, right } = beside(advantage, batch, credit_nt);
    sums.rmse += weight * rmse;
    sums.leakage += weight * leakage;
    if (scored > 0) {
      sums.sign += (weight * right) / scored;
      sums.judged += weight;
    }
    const [N, , L] = batch.shape;
    const dLogProb_ntl = batch.oldLogProb_ntl.map((_, i) =>
      batch.mask_ntl[i] === 1 ? credit_nt[Math.floor(i / L)]! / N : 0,
    );
    const g = policy.backward(batch, { dLogProb_ntl });
    let miss = 0;
    g.forEach((x, i) => {
      expected[i]! += weight * x;
      miss += square(x - gradient[i]!);
    });
    sums.mse += (weight * miss) / power;
  }
  const miss = expected.map((x, i) => x - gradient[i]!);
  return {
    advantage: name,
    process: process.name,
    groupSize,
    method: exact ? "enumerated" : "sampled",
    rmse: sums.rmse,
    signAccuracy: sums.judged === 0 ? NaN : sums.sign / sums.judged,
    leakage: sums.leakage,
    expectedCosine: dot(expected, gradient) / Math.sqrt(power * dot(expected, expected)),
    relativeError: Math.sqrt(dot(miss, miss) / power),
    gradientMse: sums.mse,
  };
}

/**
 * Compares a batch's credit with the exact advantages: of those that are not 0, how many there are and how many have
 * the same sign.
 */
function beside(
  advantage: ReadonlyMap<string, number>,
  batch: Batch,
  credit_nt: Float64Array,
): { readonly rmse: number; readonly leakage: number; readonly scored: number; readonly right: number } {
  const [N, T] = batch.shape;
  let squares = 0;
  let turns = 0;
  let right = 0;
  let scored = 0;
  let leaked = 0;
  let amount = 0;
  for (let n = 0; n < N; n++) {
    for (let t = 0; t < batch.turnCount_n[n]!; t++) {
      const credit = credit_nt[n * T + t]!;
      const truth = advantage.get(actionOf(batch, n, t))!;
      squares += square(credit - truth);
      turns++;
      amount += Math.abs(credit);
      if (Math.abs(truth) < ZERO) leaked += Math.abs(credit);
      else {
        scored++;
        if (Math.sign(credit) === Math.sign(truth)) right++;
      }
    }
  }
  return { rmse: Math.sqrt(squares / turns), leakage: leaked / (amount + ZERO), scored, right };
}

/** All advantages on all processes, in groups of four. */
export function creditBench(): CreditFigures[] {
  return creditProcesses.flatMap((process) =>
    Object.entries(creditRows).map(([name, rule]) => creditFigures(name, rule, process, { groupSize: 4 })),
  );
}

/** Mean credit of BAD and of RECOVER on the repaired path, over sampled groups, as the benchmark reports it. */
export function repairedCredit(
  rule: Recipe,
  o: { readonly groupSize: number; readonly batches: number },
): { readonly bad: number; readonly recover: number } {
  const { all, p_n, values } = placeFor({ name: "recovery", env: recovery(), first: 0.5 });
  const draws = sampledDraws(all, p_n, { ...o, count: o.batches, groups: 1, rng: createRng(0) });
  const pairs = draws.map(({ members }) => {
    const batch = drawnBatch(all, members);
    const credit_nt = creditOf(batch, rule, values);
    // BAD is token 1 at the first turn, RECOVER token 0 at the second.
    const repaired = [...batch.turnCount_n.keys()].filter(
      (n) => batch.turnCount_n[n] === 2 && batch.return_n[n] === 1,
    );
    return {
      bad: mean(repaired.map((n) => credit_nt[2 * n]!)),
      recover: mean(repaired.map((n) => credit_nt[2 * n + 1]!)),
    };
  });
  return { bad: mean(pairs.map(({ bad }) => bad)), recover: mean(pairs.map(({ recover }) => recover)) };
}
