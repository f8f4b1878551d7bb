import assert from "node:assert/strict";
import { make } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { goodhartRun, mixedOptimum, rewardRun, scoreOfOptimum } from "turnwise-course/reward-signal";
import { skillRun } from "turnwise-course/agentic-pomdp";
import { storedTable } from "turnwise-course";
import { mixedReward } from "turnwise-course/internal/07-reward-signal/scoreOfOptimum";

describe("mixedReward", () => {
  it("is linear in the weight, for the random agent, played and enumerated", () => {
    const env = make("Calculator-v0", { reward: "proxy", taskCount: 4 });
    const at = (weight: number): number => randomReturn(mixedReward(env, weight));
    assert.ok(Math.abs(at(0.3) - (0.7 * at(0) + 0.3 * at(1))) < 1e-12);
    assert.ok(Math.abs(at(1) - randomReturn(make("Calculator-v0", { taskCount: 4, thinkCost: 0 }))) < 1e-12);
  });
});

describe("scoreOfOptimum", () => {
  it("is exact where every optimal policy is honest, and an interval where the proxy is indifferent", () => {
    const options = { taskCount: 4 };
    const outcome = scoreOfOptimum(make("Calculator-v0", options));
    assert.ok(Math.abs(outcome.low - 1) < 1e-6 && Math.abs(outcome.high - 1) < 1e-6);
    const proxy = scoreOfOptimum(make("Calculator-v0", { ...options, reward: "proxy" }));
    assert.ok(Math.abs(proxy.low) < 1e-6 && Math.abs(proxy.high - 1) < 1e-6);
  });

  it("mixedOptimum gives the parts of the mixture: reward and score add up to its best return", () => {
    const env = make("Calculator-v0", { taskCount: 4, reward: "proxy", distractors: 2, callCost: 0.1 });
    const { reward, score } = mixedOptimum(env, 1);
    // Weight 1 is the true score alone: 1. Its proxy: two calls at 1/6 less the fee of one, and 1/2, at the kink's right.
    assert.ok(Math.abs(score - 1) < 1e-6, `${score}`);
    assert.ok(reward <= 1);
  });
});

describe("the studies of rewards and skills", () => {
  it("under the whole return verification trains bit for bit what the outcome trains", async () => {
    const job = { world: "Calculator-v0", credit: "trajectory", seed: 1, updates: 20 } as const;
    const { curve } = await rewardRun({ ...job, reward: "verification" });
    assert.deepEqual(curve, (await rewardRun({ ...job, reward: "outcome" })).curve);
  });

  it("refuse a number of updates that cannot be averaged in equal windows, and unknown arms", async () => {
    const job = { world: "Calculator-v0", reward: "outcome", credit: "reward", seed: 0 } as const;
    await assert.rejects(rewardRun({ ...job, updates: 15 }), {
      message: "Cannot average a run: updates must be a multiple of 10, got 15.",
    });
    await assert.rejects(goodhartRun({ arm: "proxy", seed: 0, updates: 30 }), /multiple of 20/);
    await assert.rejects(skillRun("tool: LookUp", "no tool", 0), {
      name: "RangeError",
      message:
        'Cannot train a skill: its arm must be one of the tool tells the truth, the tool guesses, it tells the truth, step credit, got "no tool".',
    });
  });
});

describe("storedTable", () => {
  it("reads numbers, words, empty cells, and commas in quotes", () => {
    assert.deepEqual(storedTable('a,b,c\n"x, y",1.5,\nz,-2,3 4\n'), [
      { a: "x, y", b: 1.5, c: "" },
      { a: "z", b: -2, c: "3 4" },
    ]);
  });

  it("refuses a line that lacks a cell", () => {
    assert.throws(() => storedTable("a,b\n1\n"), {
      name: "RangeError",
      message: "Cannot read a stored table: every line must have 2 cells, but line 2 has 1.",
    });
  });
});
