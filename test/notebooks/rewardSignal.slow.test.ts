import assert from "node:assert/strict";
import { make } from "turnwise";
import {
  curriculumRun,
  goodhartRun,
  goodhartWorld,
  mixedOptimum,
  rewardRun,
  scoreOfOptimum,
  verifierRun,
} from "turnwise-course/reward-signal";
import { claimOf, storedLedger } from "./storedLedger";
import { same, stored } from "./storedTables";

describe("the full ledger of lesson 07, computed again", () => {
  const rows = storedLedger("appendix/07-reward-signal");
  const goodhart = stored("goodhart");
  const has = (words: string, expected: string): void => {
    const { measured } = claimOf(rows, words);
    assert.ok(measured.includes(expected), `${expected} in: ${measured}`);
  };

  it("the exact optima: a proxy's leave the true score open, or at the blind guess of .25", () => {
    const range = (o: { low: number; high: number }): string => `${o.low.toFixed(3)} to ${o.high.toFixed(3)}`;
    const free = scoreOfOptimum(make("Calculator-v0", { reward: "proxy" }));
    const costly = scoreOfOptimum(goodhartWorld("proxy"));
    const outcome = scoreOfOptimum(goodhartWorld("outcome"));
    const verification = scoreOfOptimum(goodhartWorld("verification"));
    assert.deepEqual(
      [range(free), range(costly), range(outcome)],
      ["0.000 to 1.000", "0.250 to 0.250", "1.000 to 1.000"],
    );
    has(
      "An agent that is optimal",
      `proxy ${range(free)}, with costly calls ${range(costly)}; outcome ${range(outcome)}`,
    );
    // A call for .1, then the answer: .9.
    assert.ok(Math.abs(outcome.J - 0.9) < 1e-9);
    has(
      "Verification on the way",
      `outcome ${outcome.J.toFixed(3)}, verification ${verification.J.toFixed(3)}`,
    );
  }).timeout(60_000);

  it("the weight of truth at which the optimum turns honest", () => {
    has(
      "A little truth",
      `weight 0.3 on; at .1 its true score is ${mixedOptimum(goodhartWorld("proxy"), 0.1).score.toFixed(3)}`,
    );
    assert.ok(mixedOptimum(goodhartWorld("proxy"), 0.25).score < 0.999);
    assert.ok(mixedOptimum(goodhartWorld("proxy"), 0.3).score > 0.999);
  }).timeout(30_000);

  it("stored runs are what the library computes now, one of each kind", async () => {
    const reward = await rewardRun({
      world: "Calculator-v0",
      reward: "verification",
      credit: "reward",
      seed: 3,
    });
    const row = stored("reward-calculator").find(
      (r) => r["reward"] === "verification" && r["credit"] === "reward" && r["seed"] === 3,
    )!;
    same(reward.score, row["score"]);
    same(reward.calls, row["calls"]);
    const proxy = await goodhartRun({ arm: "proxy, exact KL .1", seed: 4 });
    for (const point of proxy) {
      same(
        point.score,
        goodhart.find(
          (r) => r["arm"] === "proxy, exact KL .1" && r["seed"] === 4 && r["update"] === point.update,
        )!["score"],
      );
    }
    const maze = await curriculumRun({ arm: "uniform", seed: 5 });
    const before = stored("curriculum").filter((r) => r["arm"] === "uniform" && r["seed"] === 5);
    maze.forEach(({ hardest }, i) => same(hardest, before[i]!["hardest"]));
    const trusting = await verifierRun({ verifier: "always accepts 2", seed: 7 });
    const trusted = stored("verifier").filter((r) => r["verifier"] === "always accepts 2" && r["seed"] === 7);
    trusting.forEach(({ paid }, i) => same(paid, trusted[i]!["paid"]));
  }).timeout(60_000);
});
