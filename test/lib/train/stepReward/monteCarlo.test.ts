import assert from "node:assert/strict";
import {
  train,
  createRng,
  GameEnv,
  type Game,
  type Observation,
  TabularPolicy,
  collect,
  advantages,
  recipe,
} from "turnwise";
import { MonteCarloReward } from "turnwise/internal/train/stepReward/monteCarlo";

const seen: Observation = { tokens: [2], text: "seen" };

/** `safe` pays .4 and ends; after `risk`, a coin that falls on its side in one case of four pays 1 whatever is written. */
const wager: Game<number> = {
  spec: {
    id: "Wager-v0",
    skill: "weigh",
    vocabulary: ["safe", "risk"],
    observationVocabulary: ["seen"],
    maxTurns: 2,
    maxTokens: 1,
    options: {},
  },
  start: () => [{ probability: 1, state: 0, observation: seen, reward: 0, terminated: false }],
  transition: (turn, [token]) =>
    turn === 0
      ? [
          {
            probability: 1,
            state: 1,
            observation: seen,
            reward: token === 0 ? 0.4 : 0,
            terminated: token === 0,
          },
        ]
      : [
          { probability: 0.25, state: 2, observation: seen, reward: 1, terminated: true },
          { probability: 0.75, state: 2, observation: seen, reward: 0, terminated: true },
        ],
  render: String,
};

describe("reward.step monteCarlo", () => {
  const env = new GameEnv(wager);
  const policy = () => new TabularPolicy(env.spec);
  const batchOf = (seed: number, groups: number) =>
    collect(env, policy(), {
      groups,
      groupSize: 6,
      rng: createRng(seed),
      forks: { kind: "random", leaves: 3, among: "trunk" },
    });
  const judged = (judge: MonteCarloReward, seed: number, groups: number) => {
    const batch = batchOf(seed, groups);
    return { batch, ...judge.judge({ batch, policy: policy(), env, rng: createRng(0) }) };
  };

  it("is Q - V of the counts, worked out by hand from the returns to go", () => {
    const { batch, step_nt } = judged(new MonteCarloReward({ gamma: 1, memory: 0 }), 1, 2);
    const T = 2;
    const first = Array.from({ length: 12 }, (_, n) => ({
      token: batch.token_ntl[n * T]!,
      R: batch.return_n[n]!,
    }));
    const mean = (xs: readonly { R: number }[]): number => xs.reduce((sum, { R }) => sum + R, 0) / xs.length;
    first.forEach(({ token }, n) => {
      const q = mean(first.filter((one) => one.token === token));
      assert.ok(Math.abs(step_nt[n * T]! - (q - mean(first))) < 1e-12);
    });
    // A turn that was not taken earns nothing.
    batch.turnCount_n.forEach((turns, n) => {
      if (turns === 1) assert.equal(step_nt[n * T + 1], 0);
    });
  });

  it("tends to the exact Q of the policy: .4 for safe and 1/4 for risk", () => {
    const error = (groups: number): number => {
      const judge = new MonteCarloReward({ gamma: 1, memory: 0 });
      const { batch } = judged(judge, 0, groups);
      const context = batch.context_nt[0]![0];
      assert.equal(judge.q(context, [0])!.toFixed(12), (0.4).toFixed(12));
      return Math.abs(judge.q(context, [1])! - 0.25);
    };
    // Of 4000 groups 24,000 trajectories, more than half of them risky: four standard errors are under .016.
    assert.ok(error(4000) < 0.016);
    assert.ok(error(4000) < error(4));
  });

  it("discounts what comes after a turn by its distance", () => {
    const judge = new MonteCarloReward({ gamma: 0.5, memory: 0 });
    const { batch } = judged(judge, 0, 4000);
    assert.ok(Math.abs(judge.q(batch.context_nt[0]![0], [1])! - 0.125) < 0.008);
    assert.equal(judge.q(batch.context_nt[0]![0], [7]), undefined);
  });

  it("keeps as much of earlier counts as its memory says", () => {
    const kept = (memory: number): number => {
      const judge = new MonteCarloReward({ gamma: 1, memory });
      judged(judge, 1, 3);
      const { batch } = judged(judge, 2, 3);
      return judge.q(batch.context_nt[0]![0], [1])!;
    };
    const alone = (seed: number) => {
      const batch = batchOf(seed, 3);
      const risky = [...batch.return_n].filter((_, n) => batch.token_ntl[2 * n] === 1);
      return { n: risky.length, sum: risky.reduce((a, b) => a + b, 0) };
    };
    const [before, now] = [alone(1), alone(2)];
    for (const memory of [0, 0.5, 1]) {
      const wanted = (memory * before.sum + now.sum) / (memory * before.n + now.n);
      assert.ok(Math.abs(kept(memory) - wanted) < 1e-12, `${memory}`);
    }
  });

  it("gives its counts back after a checkpoint, as plain data", () => {
    const judge = new MonteCarloReward({ gamma: 1, memory: 1 });
    judged(judge, 1, 3);
    const copy = new MonteCarloReward({ gamma: 1, memory: 1 });
    copy.restore(JSON.parse(JSON.stringify(judge.state())));
    assert.deepEqual(judged(copy, 2, 3).step_nt, judged(judge, 2, 3).step_nt);
  });

  it("is the advantage of agentPrm, turn by turn", () => {
    const { batch, step_nt } = judged(new MonteCarloReward({ gamma: 1, memory: 0 }), 3, 2);
    const { advantage_ntl } = advantages({ ...batch, step_nt }, recipe("agentPrm"));
    assert.deepEqual([...advantage_ntl], [...step_nt]);
  });

  it("learns to be safe, where safe is better on average", async () => {
    let last = 0;
    const optimizer = { kind: "sgd", learningRate: 2 } as const;
    const row = recipe("agentPrm", { update: { optimizer } });
    for await (const { metrics } of train({ env, recipe: row, updates: 60, seed: 0 }))
      last = metrics["reward/mean"]!;
    assert.ok(last > 0.35, `${last}`);
  });
});
