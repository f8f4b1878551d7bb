import { collect, createRng, type Env, type Metrics, type Policy, type Recipe } from "turnwise";
import { optimalPolicy } from "turnwise/exact";
import { merged, rolloutMetrics } from "./plainMetrics";
import * as rule from "./plainRule";
import { plainAnswers, plainShown } from "./plainShown";

export interface PlainOptions {
  readonly env: Env;
  readonly policy: Policy;
  readonly row: Recipe;
  readonly updates: number;
  readonly groups: number;
  readonly groupSize: number;
  readonly seed: number;
  readonly temperature?: number;
}

export interface PlainRecord {
  readonly update: number;
  readonly samples: number;
  readonly optimizerSteps: number;
  readonly metrics: Metrics;
  /** By cell. */
  readonly advantages: readonly number[];
}

const count = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/**
 * The trainer as one loop, to be read from top to bottom: sample, filter, advantage, ratio and gate, gradient, step, carry.
 *
 * It shares only worlds, policies and draws with the library, and must yield the records that `train` yields.
 */
export function* plainTrain(o: PlainOptions): Generator<PlainRecord> {
  const { env, policy, row, groups: P, groupSize: G, temperature = 1 } = o;
  const { epochs, minibatches } = row.update;
  const valueCoef = "valueCoef" in row.advantage ? row.advantage.valueCoef : undefined;
  const { clippingTriggered } = row.regularizer;
  const run = createRng(o.seed).split("train");
  const reference = row.reward.environment === 0 ? optimalPolicy(env) : policy.clone();
  const descend = rule.descent(row);
  let samples = 0;
  let optimizerSteps = 0;
  let bonus = { coef: row.regularizer.entropyCoef, paid: true };

  for (let update = 1; update <= o.updates; update++) {
    const rng = run.split("update", update);

    // 1. Sample P groups of G trajectories; dynamic sampling asks for P more until it has P that pass the filter.
    const attempts = row.filter.kind === "zeroVariance" ? row.filter.maxGenerations : 1;
    const seen: Metrics[] = [];
    let kept: { id: string; group: number; std: number; returns: number[] }[] = [];
    let batch;
    do {
      const before = seen.length * P;
      const all = { groups: before + P, groupSize: G }; // begins with the groups that were drawn before
      const forks = row.forks;
      batch = collect(env, policy, { ...all, rng: rng.split("rollout"), temperature, forks });
      const { groupId, return_n } = batch;
      const fresh = count(P).map((k) => {
        const group = before + k;
        const returns = [...return_n.slice(group * G, (group + 1) * G)];
        return { id: groupId[group * G]!, group, returns, std: rule.deviation(returns, false) };
      });
      const passed = rule.passing(row, fresh);
      kept = [...kept, ...passed].slice(0, P);
      seen.push({
        "reward/std": rule.mean(fresh.map(({ std }) => std)),
        "reward/fracZeroStd": rule.mean(fresh.map(({ std }) => Number(std === 0))),
        "filter/fracKept": passed.length / P,
      });
    } while (kept.length < P && seen.length < attempts);
    samples += batch.shape[0];

    // 2. One advantage for every token, before any step; the critic's targets for every turn.
    const [, T, L] = batch.shape;
    const rollout = batch.oldLogProb_ntl;
    const trainer = policy.evaluate(batch).logProb_ntl;
    // Decoupled: the trainer's own log-probs are the old ones, and the weights make up for the rollout engine's.
    const { correction } = row;
    const bypass = "oldLogProb" in correction && correction.oldLogProb === "bypass";
    if (correction.kind !== "none" && !bypass) batch = { ...batch, oldLogProb_ntl: trainer };
    const rows = kept.flatMap(({ group }) => count(G).map((i) => group * G + i)).sort((a, b) => a - b);
    // What the policy itself thinks after a demonstration, or what the reference does.
    const ref =
      row.reward.kl?.reference === "shown"
        ? policy.evaluate(plainShown(env, policy, batch, { kept: rows, rollout: rng.split("rollout") }), rows)
            .logProb_ntl
        : reference.evaluate(batch).logProb_ntl;
    const value_nt = policy.evaluate(batch, rows).value_nt ?? new Float64Array(batch.reward_nt.length);
    const V = env.spec.vocabulary.length;
    // Every policy's distributions by its own enumeration, cell by cell, as they are before the first step.
    const wholeOf = (who: Policy): rule.Whole => {
      const copy = who.clone();
      return (i) => {
        const t = Math.floor(i / L);
        const context = batch.context_nt[Math.floor(t / T)]![t % T];
        return copy.nextTokenLogProb(context, [...batch.token_ntl.subarray(t * L, i)]);
      };
    };
    const [wholeRef, wholeStart] = [wholeOf(reference), wholeOf(policy)];
    // Of the least variance: w^2 |grad log pi|^2, where the rule compares the policy that sampled with the one that learns.
    const [fixed, N] = [batch, batch.shape[0]];
    const cellsOf = (n: number): number[] =>
      count(T * L).flatMap((i) => (fixed.mask_ntl[n * T * L + i] === 1 ? [n * T * L + i] : []));
    const logs = (n: number, to: ArrayLike<number>): number =>
      rule.sum(cellsOf(n).map((i) => to[i]! - rollout[i]!));
    const pull = (n: number): number => {
      const dLogProb_ntl = new Float64Array(N * T * L);
      for (const i of cellsOf(n)) dLogProb_ntl[i] = 1;
      const steepness = rule.norm(policy.backward(fixed, { dLogProb_ntl }, rows, count(T))) ** 2;
      const w = correction.kind === "none" ? 1 : Math.exp(Math.max(-20, Math.min(20, logs(n, trainer))));
      return w ** 2 * steepness;
    };
    const all = rows.map((n) =>
      rule.trajectory(row, batch, n, ref, { old: wholeStart, ref: wholeRef, pull }),
    );
    const { A, metrics: advantageMetrics } = rule.advantage(row, all, value_nt, T);
    const { c, kept: inLoss, metrics: mismatch } = rule.correction(row, all, rollout, trainer);
    const lossCells = all.map((tau) => ({
      ...tau,
      turns: tau.turns.map((cells, t) => cells.filter((i) => inLoss[i] && rule.isTrained(row, all, tau, t))),
    }));
    const target_nt = rule.valueTargets(row, all, value_nt, T);

    // 3. Turn after turn, or all turns at once; M is the product of the ratios of the turns updated before.
    const steps: Metrics[] = [];
    const M = rows.map(() => 1);
    const shared = row.order.kind !== "simultaneous" && row.order.steps === "shared";
    const deepest = Math.max(...all.map(({ turns }) => turns.length)); // so many turns have steps to share
    let visited = 0;
    for (const [place, turns] of rule.schedule(row, T, rng).entries()) {
      const reaches = ({ turns: taken }: rule.Trajectory): boolean => turns[0]! < taken.length;
      if (!all.some(reaches)) continue;
      const [from, to] = [visited++, visited].map((k) => Math.floor((k * epochs * minibatches) / deepest));
      let left = shared ? to! - from! : Infinity;
      const recompute = row.order.oldLogProb === "recomputed";
      const old = recompute ? policy.evaluate(batch, rows, turns).logProb_ntl : batch.oldLogProb_ntl;
      const wholeOld = recompute ? wholeOf(policy) : wholeStart;
      for (let epoch = 0; shared ? left > 0 : epoch < epochs; epoch++) {
        const draws = rng.split("minibatch", place, epoch);
        for (const part of rule.minibatches(all.length, minibatches, draws)) {
          const some = part.map((k) => all[k]!);
          if (!some.some(reaches) || left === 0) continue;
          left--;

          // 4. The loss of these trajectories in these turns, and its gradient g, through the policy and the critic.
          const where = some.map(({ n }) => n);
          const {
            logProb_ntl: logProb,
            entropy_ntl: entropy,
            value_nt: values = [],
          } = policy.evaluate(batch, where, turns);
          const carried: number[] = [];
          const renewed = rule.renewed(row, all, A, logProb);
          for (const k of part) for (const i of all[k]!.turns.flat()) carried[i] = M[k]! * renewed[i]!;
          const inPart = part.map((k) => lossCells[k]!);
          const w = rule.weights(row, inPart, T, L);
          const units = rule.ratioUnits(row, inPart, turns);
          const whole = { logProb: wholeOf(policy), old: wholeOld, ref: wholeRef };
          const draw: number[] = [];
          const drawn = rng.split("leftOut", steps.filter((one) => "policy/loss" in one).length);
          const owner: string[] = [];
          for (const n of where) {
            for (const i of count(T * L)) {
              draw[n * T * L + i] = drawn.next();
              owner[n * T * L + i] = batch.trajectoryId[n]!;
            }
          }
          const entropyCoef = bonus.paid ? bonus.coef : 0;
          const x = {
            logProb,
            old,
            ref,
            whole,
            vocabulary: V,
            entropy,
            A: carried,
            w,
            c,
            draw,
            owner,
            entropyCoef,
          };
          const loss = rule.loss(row, units, x);
          const critic = rule.criticLoss(some, turns, values, target_nt, T);
          // Division by ||C|| is for the policy's gradient: the critic's is not clipped.
          const clippedAway = policy.backward(batch, { dLogProb_ntl: loss.clippedAway_ntl }, where, turns);
          const C = rule.norm(clippedAway);
          const triggered = clippingTriggered.kind === "gradNorm";
          const divided = triggered ? Math.max(clippingTriggered.floor, C) : 1;
          const g = policy.backward(
            batch,
            {
              dLogProb_ntl: loss.dLogProb_ntl.map((x) => x / divided),
              dEntropy_ntl: loss.dEntropy_ntl.map((x) => x / divided),
              dLogit_ntlv: loss.dLogit_ntlv.map((x) => x / divided),
              ...(valueCoef !== undefined && { dValue_nt: critic.dValue_nt.map((x) => valueCoef * x) }),
            },
            where,
            turns,
          );

          // What the environment answered is no turn: its cross-entropy has a denominator of its own.
          const { observationCoef } = row.regularizer;
          const answers = observationCoef > 0 ? plainAnswers(policy, batch, where) : undefined;
          if (answers) answers.gradient.forEach((x, j) => (g[j]! += observationCoef * x));

          // 5. One step down the gradient.
          const moved = some.flatMap(({ turns: taken }) => {
            const cells = turns.flatMap((t) => taken[t] ?? []);
            return cells.length === 0 ? [] : [rule.sum(cells.map((i) => logProb[i]! - rollout[i]!))];
          });
          const times = rule.stepScale(row, moved);
          descend(policy.parameters, g, times);
          optimizerSteps++;
          steps.push({
            ...loss.metrics,
            ...(answers && {
              "policy/loss": loss.metrics["policy/loss"]! + observationCoef * answers.crossEntropy,
              "policy/answerCrossEntropy": answers.crossEntropy,
            }),
            "policy/gradNorm": rule.norm(g),
            ...(triggered && { "policy/clippedGradNorm": C }),
            ...(row.update.stepScale.kind !== "none" && { "policy/stepScale": times }),
            ...(valueCoef !== undefined && { "critic/loss": critic.loss }),
          });
        }
      }

      // 6. M <- M r for every trajectory that took these turns: how much likelier has its ending become?
      if (T === 1 || row.order.kind === "simultaneous" || row.order.carry.kind === "off") continue;
      const now = policy.evaluate(batch, rows, turns).logProb_ntl;
      all.forEach((tau, k) => {
        const moved = (tau.turns[turns[0]!] ?? []).map((i) => now[i]! - old[i]!);
        M[k] = rule.carry(row, M[k]!, moved);
      });
      steps.push({ "policy/carryMin": Math.min(...M), "policy/carryMax": Math.max(...M) });
    }

    const steered = row.regularizer.entropyTarget !== null && {
      "policy/entropyCoef": bonus.paid ? bonus.coef : 0,
    };
    const sampled = lossCells.flatMap(({ turns }) => turns.flat());
    if (sampled.length > 0) {
      bonus = rule.steer(row, bonus, -rule.mean(sampled.map((i) => batch.oldLogProb_ntl[i]!)));
    }
    const learned = rows.length > 0 && {
      ...advantageMetrics,
      ...mismatch,
      ...steered,
      ...(valueCoef !== undefined && {
        "critic/explainedVariance": rule.explainedVariance(value_nt, target_nt),
      }),
      ...merged(steps),
    };
    const metrics = { ...rolloutMetrics(batch), ...merged(seen), ...learned };
    yield { update, samples, optimizerSteps, metrics, advantages: A };
  }
}
