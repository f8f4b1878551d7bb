import assert from "node:assert/strict";
import { bestOfAdvantage } from "turnwise-course/internal/systems/sampled/bestOf";
import { oneWordReturn, sampledClaims } from "turnwise-course/internal/systems/sampled/claims";
import { sampledArms, sampledSeeds } from "turnwise-course/internal/systems/sampled/design";
import {
  sampledPlan,
  sampledRate,
  sampledRun,
  type SampledRun,
} from "turnwise-course/internal/systems/sampled/run";

const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-5, `${a} is not ${b}`);

describe("the best of every few rollouts", () => {
  it("keeps the first of the best, compares the kept ones, and leaves the others out", () => {
    // Pairs of group a: (0, 1) keeps the second, (1, 1) its first, (0, 0) its first. Kept: 1, 1, 0: mean 2/3, variance (1/9 + 1/9 + 4/9) / 2 = 1/3.
    // Group b has one pair, kept 3: alone, so 0.
    const advantage_n = bestOfAdvantage(
      { return_n: [0, 1, 1, 1, 0, 0, 3, 2], groupId: ["a", "a", "a", "a", "a", "a", "b", "b"] },
      2,
    );
    const std = Math.sqrt(1 / 3);
    [0, 1 / 3 / std, 1 / 3 / std, 0, -2 / 3 / std, 0, 0, 0].forEach((x, n) => near(advantage_n[n]!, x));
  });

  it("is GRPO's advantage where each member is kept", () => {
    const batch = { return_n: [1, 0, 0, 1], groupId: ["a", "a", "a", "a"] };
    // Mean 1/2, variance 4 * (1/4) / 3 = 1/3.
    bestOfAdvantage(batch, 1).forEach((x, n) => near(x, [0.5, -0.5, -0.5, 0.5][n]! / Math.sqrt(1 / 3)));
  });
});

describe("the study of three systems whose outcomes are sampled", () => {
  it("has a policy that needs one word alone to win", () => {
    assert.equal(oneWordReturn(), 1);
  });

  it("takes an arm's rate from the tuning in its world, or from another arm's, times a number", () => {
    const run = (arm: string, rate: number, success: number): SampledRun =>
      ({ world: "lookUp", arm, rate, success }) as SampledRun;
    const tuning = [0.0125, 0.025, 0.05, 0.1, 0.2, 0.4].flatMap((rate) => [
      run("PPO", rate, rate === 0.05 || rate === 0.2 ? 0.9 : 0.1),
      { ...run("PPO", rate, rate === 0.4 ? 1 : 0), world: "lake" as const },
    ]);
    assert.equal(sampledRate(tuning, "lookUp", "PPO"), 0.05);
    assert.equal(sampledRate(tuning, "lookUp", "PPO, rate times four"), 0.2);
    assert.equal(sampledRate(tuning, "lake", "PPO"), 0.4);
    assert.deepEqual(
      sampledPlan(true).filter(({ arm }) => sampledArms[arm].rateOf !== undefined),
      [],
    );
  });

  it("counts what a run cost", async () => {
    const run = await sampledRun({ cell: { world: "lookUp", arm: "best of four", rate: 0.1 }, seed: 9000 });
    assert.equal(run.samples, 40 * 8 * 32);
    assert.equal(run.optimizerSteps, 160);
    assert.ok(run.steps >= run.samples && run.success >= 0 && run.success <= 1);
  });

  it("tells an effect that is there in both halves, where it is, and nothing where arms are alike", () => {
    const made = (success: (world: string, arm: string, seed: number) => number): SampledRun[] =>
      sampledPlan(false).flatMap(({ world, arm }) =>
        sampledSeeds.study.map(
          (seed) =>
            ({
              world,
              arm,
              rate: 0.1,
              seed,
              success: success(world, arm, seed) + 0.001 * (seed % 3),
            }) as SampledRun,
        ),
      );
    const texts = sampledClaims(
      made((world, arm, seed) => {
        if (arm === "best of four") return world === "lake" ? 0.9 : seed < 1020 ? 0.9 : 0.5;
        if (arm === "one word") return 0.4;
        return 0.6;
      }),
    ).map(({ verdict }) => verdict.text);
    assert.deepEqual(texts.slice(0, 6), [
      "holds if world = lake of {lookUp, lake, sokoban}",
      "holds if world = lake of {lookUp, lake, sokoban}",
      "holds",
      "holds",
      "refuted",
      "holds",
    ]);
    assert.deepEqual(texts.slice(6), [
      "no effect that matters",
      "no effect that matters",
      "no effect that matters",
    ]);
  });
});
