import assert from "node:assert/strict";
import { exp as ownExp } from "turnwise/tensor";
import {
  custom,
  groupAdvantage,
  recipe,
  train,
  type Recipe,
  type TrainOptions,
  type Metrics,
} from "turnwise";

const sum = (xs: ArrayLike<number>): number => Array.from(xs).reduce((a, b) => a + b, 0);
const mean = (xs: ArrayLike<number>): number => sum(xs) / xs.length;
const std = (xs: ArrayLike<number>): number => {
  const center = mean(xs);
  return Math.sqrt(sum(Array.from(xs, (x) => (x - center) ** 2)) / (xs.length - 1));
};
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);
/** exp within 20 nats, as every ratio of the library. */
const exp = (x: number): number => ownExp(clamp(x, -20, 20));

const clip = { clipLow: 0.2, clipHigh: 0.2 };
const seeUpo = { order: { kind: "reverse", carry: { kind: "exact", pooling: "product" } } } as const;
const twoMinibatches = { update: { epochs: 2, minibatches: 2 } } as const;

/** A row with a value that has a name, and the same row with a function that does what the name does. */
const pairs: Readonly<Record<string, readonly [named: Recipe, own: Recipe]>> = {
  "advantage: the mean of the group, for trajectories": [
    recipe("grpo"),
    recipe("grpo", {
      advantage: custom("mean", ({ return_n }, { groups }) => {
        const advantage = new Float64Array(return_n.length);
        for (const members of groups) {
          const center = mean(members.map((n) => return_n[n]!));
          for (const n of members) advantage[n] = return_n[n]! - center;
        }
        return advantage;
      }),
    }),
  ],
  "advantage: leave one out, through a function of the library": [
    recipe("rloo"),
    recipe("rloo", {
      advantage: custom("others", ({ return_n, groupId }) => {
        const key = groupId.map((id) => groupId.indexOf(id));
        // The library returns single precision; this is its formula in double.
        assert.equal(
          groupAdvantage(return_n, key, { baseline: "leaveOneOut", scale: "none" }).length,
          key.length,
        );
        return key.map((group, n) => {
          const rewards = Array.from(return_n).filter((_, m) => key[m] === group);
          if (Math.max(...rewards) === Math.min(...rewards)) return 0;
          return (rewards.length / (rewards.length - 1)) * (return_n[n]! - mean(rewards));
        });
      }),
    }),
  ],
  "advantage: what a turn earned minus its mean over the group, for turns": [
    recipe("grpo", { advantage: { kind: "perTurn", credit: "reward" }, scale: "none" }),
    recipe("grpo", {
      scale: "none",
      advantage: custom("per turn", ({ shape: [, T], reward_nt, turnCount_n, groupId }) =>
        groupId.map((id, n) =>
          Array.from({ length: turnCount_n[n]! }, (_, t) => {
            const peers = groupId.flatMap((other, m) => (other === id && t < turnCount_n[m]! ? [m] : []));
            const rewards = peers.map((m) => reward_nt[m * T + t]!).reverse();
            if (rewards.length < 2 || Math.max(...rewards) === Math.min(...rewards)) return 0;
            return reward_nt[n * T + t]! - mean([...rewards].reverse());
          }),
        ),
      ),
    }),
  ],
  "advantage: GAE over turns, with the critic's values": [
    recipe("ppo", { advantage: { kind: "gae", level: "turn" } }),
    recipe("ppo", {
      advantage: {
        critic: true,
        by: custom("gae", ({ shape: [N, T], reward_nt, turnCount_n }, { value_nt }) => {
          const advantage = new Float64Array(N * T);
          for (let n = 0; n < N; n++) {
            for (let t = turnCount_n[n]! - 1, after = 0; t >= 0; t--) {
              const next = t + 1 < turnCount_n[n]! ? value_nt[n * T + t + 1]! : 0;
              after = reward_nt[n * T + t]! + next - value_nt[n * T + t]! + after;
              advantage[n * T + t] = after;
            }
          }
          return advantage;
        }),
      },
    }),
  ],
  "advantage: nested numbers for tokens": [
    recipe("reinforce"),
    recipe("reinforce", {
      advantage: custom("tokens", ({ shape: [N, T, L], return_n }) =>
        Array.from({ length: N }, (_, n) =>
          Array.from({ length: T }, () => new Float64Array(L).fill(return_n[n]!)),
        ),
      ),
    }),
  ],
  "scale: the standard deviation of the group's returns": [
    recipe("grpo"),
    recipe("grpo", {
      scale: custom("std", (advantage, { groups, returns }) => {
        const scaled = [...advantage];
        for (const members of groups) {
          const divisor = std(members.map((k) => returns[k]!)) + 1e-6;
          for (const k of members) scaled[k]! /= divisor;
        }
        return scaled;
      }),
    }),
  ],
  "scale: the whole batch": [
    recipe("reinforcePlusPlus", { scale: { unbiased: true } }),
    recipe("reinforcePlusPlus", {
      scale: custom("white", (A) => {
        if (Math.max(...A) === Math.min(...A)) return A.map(() => 0);
        const [center, divisor] = [mean(A), std(A) + 1e-6];
        return A.map((a) => (a - center) / divisor);
      }),
    }),
  ],
  "ratio: of tokens": [
    recipe("grpo"),
    recipe("grpo", {
      ratio: { over: "token", by: custom("exp", ([d]) => ({ ratio: exp(d!), slope: [exp(d!)] })) },
    }),
  ],
  "ratio: the geometric mean of a turn": [
    recipe("grpo", { ratio: { level: "turn", pooling: "geometric" } }),
    recipe("grpo", {
      ratio: custom("geometric", (d) => {
        const ratio = exp(sum(d) / d.length);
        return { ratio, slope: d.map(() => ratio / d.length) };
      }),
    }),
  ],
  "ratio: the product of a trajectory, which enters once": [
    recipe("grpo", { ratio: { level: "trajectory", pooling: "product" } }),
    recipe("grpo", {
      ratio: {
        over: "trajectory",
        entersOnce: true,
        by: custom("product", (d) => ({ ratio: exp(sum(d)), slope: d.map(() => exp(sum(d))) })),
      },
    }),
  ],
  "gate: PPO's clip": [
    recipe("grpo", { gate: { kind: "clip", ...clip } }),
    recipe("grpo", {
      gate: custom("clip", {
        objective: ({ ratio, advantage }) => {
          if (advantage > 0) return Math.min(ratio, 1.2) * advantage;
          return advantage < 0 ? Math.max(ratio, 0.8) * advantage : ratio * advantage;
        },
        slope: ({ ratio, advantage }) =>
          (ratio > 1.2 && advantage > 0) || (ratio < 0.8 && advantage < 0) ? 0 : advantage,
        clipped: ({ ratio, advantage }) =>
          ratio > 1.2 && advantage > 0 ? "high" : ratio < 0.8 && advantage < 0 ? "low" : undefined,
      }),
    }),
  ],
  "gate: SAPO's sigmoid on the ratio of a trajectory": [
    recipe("gspo", { gate: { kind: "sapo" } }),
    recipe("gspo", {
      gate: custom("sapo", {
        objective: ({ ratio, advantage: A }) => {
          const tau = A > 0 ? 1 : 1.05;
          return (4 / tau) * (1 / (1 + ownExp(-tau * (ratio - 1)))) * A;
        },
        slope: ({ ratio, advantage: A }) => {
          const s = 1 / (1 + ownExp(-(A > 0 ? 1 : 1.05) * (ratio - 1)));
          return 4 * s * (1 - s) * A;
        },
      }),
    }),
  ],
  "aggregate: the mean over tokens of a trajectory": [
    recipe("grpo", twoMinibatches),
    recipe("grpo", {
      ...twoMinibatches,
      aggregate: custom("by trajectory", (turn) => 1 / (turn.trajectories * turn.tokensOfTrajectory)),
    }),
  ],
  "aggregate: the mean over turns of the batch": [
    recipe("grpo", { aggregate: { kind: "turnMean", over: "batch" } }),
    recipe("grpo", {
      aggregate: custom("by turn", ({ turns, tokensOfTurn }) =>
        Array.from({ length: tokensOfTurn }, () => 1 / (turns * tokensOfTurn)),
      ),
    }),
  ],
  "filter: groups that do not agree, drawn again": [
    recipe("grpo", { filter: { kind: "zeroVariance", maxGenerations: 3 } }),
    recipe("grpo", {
      filter: {
        maxGenerations: 3,
        by: custom("split", (groups) => groups.filter((group) => group.deviation > 0)),
      },
    }),
  ],
  "reward: the penalty of long trajectories": [
    recipe("grpo", { reward: { overlong: { maxLength: 4, buffer: 2 } } }),
    recipe("grpo", {
      reward: custom("brief", ({ shape: [N, T, L], mask_ntl }) =>
        Array.from({ length: N }, (_, n) => {
          const length = sum(mask_ntl.subarray(n * T * L, (n + 1) * T * L));
          return length <= 2 ? 0 : length <= 4 ? (2 - length) / 2 : -1;
        }),
      ),
    }),
  ],
  "order: backwards, with a carry": [
    recipe("seeUpo", seeUpo),
    recipe("seeUpo", { order: custom("backwards", (turns) => [...turns].reverse()) }),
  ],
  "order: at random, from the update's own generator": [
    recipe("happo"),
    recipe("happo", { order: custom("shuffled", (turns, rng) => rng.shuffle(turns).map((t) => [t])) }),
  ],
  "regularizer: the divergence from the old policy": [
    recipe("grpo", { regularizer: { klOld: { coef: 0.5, estimator: "k2" } } }),
    recipe("grpo", {
      regularizer: custom("k2", ({ logProb, oldLogProb }) => {
        const d = logProb - oldLogProb;
        return { value: 0.5 * ((d * d) / 2), slope: 0.5 * d };
      }),
    }),
  ],
};

async function records(row: Recipe, o: Partial<TrainOptions>): Promise<Metrics[]> {
  const found: Metrics[] = [];
  const run = train({ recipe: row, updates: 20, seed: 7, groups: 4, groupSize: 4, ...o } as TrainOptions);
  for await (const { metrics } of run) found.push(metrics);
  return found;
}

const runs: Readonly<Record<string, Partial<TrainOptions>>> = {
  "LookUp-v0 with a table": { env: "LookUp-v0" },
  "ToolChain-v0 with a log-linear policy": { env: "ToolChain-v0", policy: { kind: "logLinear", beta: 3 } },
};

describe("a function that does what a name does trains bit for bit as the name does", function () {
  this.timeout(60_000);
  for (const [title, [named, own]] of Object.entries(pairs)) {
    for (const [where, o] of Object.entries(runs)) {
      it(`${title}; ${where}`, async () => {
        // What the named penalty charges is reported under its own name.
        const told = (await records(named, o)).map(({ "policy/klOld": _, ...metrics }) => metrics);
        assert.deepEqual(await records(own, o), told);
      });
    }
  }
});
