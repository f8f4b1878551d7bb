import assert from "node:assert/strict";
import { expectedAdvantageByArm } from "turnwise/exact";
import { recipe } from "turnwise";
import { exactReturn, expectedUpdate } from "turnwise/internal/exact/checkRule/expectation";
import { cases } from "turnwise/internal/exact/checkRule/games";
import { rolloutOf } from "turnwise/internal/exact/checkRule/rollout";
import { samples } from "turnwise/internal/exact/checkRule/samples";
import {
  probabilityOfLines,
  tokenGame,
  tokenPolicy,
  type TokenGame,
} from "turnwise/internal/exact/checkRule/tokenGame";

const close = (actual: number, expected: number, tolerance = 1e-12): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`);
};

describe("a game of tokens", () => {
  it("lists every trajectory once, with probabilities that sum to 1", () => {
    for (const { game, policy } of Object.values(cases)) {
      for (const task of game.tasks) {
        const total = probabilityOfLines(game, task, policy).reduce((sum, p) => sum + p, 0);
        close(total, 1);
        const written = task.lines.map((line) => JSON.stringify(line));
        assert.equal(new Set(written).size, written.length);
      }
    }
    // jackpot: safe, risky and won, risky and lost; look up: 2 truths x (2 guesses + 2 answers); two jobs: 2 x (1 + 2)
    const counts = Object.values(cases).map(({ game }) => game.tasks.map(({ lines }) => lines.length));
    assert.deepEqual(counts, [[3], [8], [6, 6]]);
  });

  it("has the return worked out by hand", () => {
    const J = Object.values(cases).map(({ game, policy }) => exactReturn(game, policy).J);
    // jackpot: .5 x .1 + .5 x .25
    close(J[0]!, 0.175);
    // look up: guess .6 x (.6 x .7 + .4 x .3) = .324; look .4 x (-.125 + .6 x .75 + .4 x .6) = .226
    close(J[1]!, 0.55);
    // two jobs: first (.5 x 1 + .3 x .375) / 2 = .30625; second .6 x .625 + .4 x (.4 x .875 + .6 x .25) = .575
    close(J[2]!, 0.88125);
  });

  it("has the gradient that finite differences give", () => {
    for (const { game, policy } of Object.values(cases)) {
      const { gradient } = exactReturn(game, policy);
      const h = 1e-6;
      gradient.forEach((slope, i) => {
        const at = (by: number): number => {
          const logits = policy.logits.slice();
          logits[i]! += by;
          return exactReturn(game, tokenPolicy(game, logits)).J;
        };
        close(slope, (at(h) - at(-h)) / (2 * h), 1e-9);
      });
    }
  });

  it("masks what the world says, and gives a critic the exact values", () => {
    const { game, policy } = cases.lookUp;
    const task = game.tasks[0]!;
    const looked = task.lines.find((line) => line.turns.length === 2)!;
    const { batch, value_nt } = rolloutOf(game, policy, [{ task, lines: [looked] }]);
    assert.deepEqual(batch.shape, [1, 2, 2]);
    // look, and the tool's answer, which is masked; then one token that answers
    assert.deepEqual([...batch.mask_ntl], [1, 0, 1, 0]);
    close(value_nt[0]!, 0.55);
    // told red, red is answered with .75
    close(value_nt[1]!, looked.turns[1]!.observation === "red" ? 0.75 : 0.6);
  });
});

describe("the expected update", () => {
  it("is the exact gradient for REINFORCE, and (G - 1) / G of it for a group mean", () => {
    for (const { game, policy } of Object.values(cases)) {
      const { gradient } = exactReturn(game, policy);
      const plain = expectedUpdate(recipe("reinforce"), game, policy, 3).mean;
      const centered = expectedUpdate(recipe("reinforce", { advantage: "mean" }), game, policy, 3).mean;
      gradient.forEach((slope, i) => {
        close(plain[i]!, slope);
        close(centered[i]!, (2 / 3) * slope);
      });
    }
  });

  it("is what the closed form of group advantages says, deviation included", () => {
    const { game, policy } = cases.jackpot;
    const row = recipe("reinforce", {
      advantage: "mean",
      scale: { kind: "group", unbiased: false, epsilon: 0 },
    });
    const arms = [
      { value: [0.1], probability: [1] },
      { value: [0, 1], probability: [0.75, 0.25] },
    ];
    const [safe, risky] = expectedAdvantageByArm(arms, [0.5, 0.5], { groupSize: 4, scale: "group" });
    const { mean } = expectedUpdate(row, game, policy, 4);
    // d/d logit of safe: sum_a pi(a) A(a) (1[a = safe] - 1/2) = (A(safe) - A(risky)) / 4
    close(mean[0]!, (safe! - risky!) / 4, 1e-9);
    close(mean[1]!, (risky! - safe!) / 4, 1e-9);
  });

  it("has the variance of one group's update, worked out on a coin", () => {
    const game: TokenGame = tokenGame("coin", ["coin"], (play) => {
      play.turn("coin");
      play.reward(play.choose("coin", ["heads", "tails"]) === "heads" ? 1 : 0);
    });
    const policy = tokenPolicy(game, new Float64Array(2));
    const { mean, variance, compositions } = expectedUpdate(recipe("reinforce"), game, policy, 2);
    // Groups of two have 0, 1 or 2 heads with probability 1/4, 1/2, 1/4; each heads moves its logit by (1/2) (1 - 1/2).
    // The mean is 1/4; the variance (1/4) (1/2)^2 + (1/2) (1/4)^2 - 1/16 = 1/32.
    assert.equal(compositions, 3);
    close(mean[0]!, 1 / 4);
    close(variance[0]!, 1 / 32);
  });
});

describe("the rollouts on which formulas are checked", () => {
  it("hold masked cells between sampled ones, turns and trajectories of different lengths, and spread in every group", () => {
    const lengths = new Set<number>();
    for (const { rollout } of samples) {
      const { batch } = rollout;
      const [N, T, L] = batch.shape;
      let forced = 0;
      for (let nt = 0; nt < N * T; nt++) {
        const mask = [...batch.mask_ntl.subarray(nt * L, (nt + 1) * L)];
        lengths.add(mask.reduce((sum, x) => sum + x, 0));
        if (mask[0] === 1 && mask.includes(0) && batch.token_ntl[nt * L + mask.indexOf(0)]! > 0) forced++;
      }
      assert.ok(forced > 0);
      for (const id of new Set(batch.groupId)) {
        const returns = batch.groupId.flatMap((other, n) => (other === id ? [batch.return_n[n]!] : []));
        assert.ok(new Set(returns).size > 1, id);
      }
    }
    assert.deepEqual([...lengths].sort(), [0, 1, 2]);
  });
});
