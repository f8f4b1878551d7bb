import assert from "node:assert/strict";
import { createPolicy, make } from "turnwise";
import { trajectoriesOf } from "turnwise/internal/card/trajectories";

describe("the trajectories of a report card", () => {
  it("say who took each turn, where a world has several agents", () => {
    const env = make("HandOver-v0", { doors: 2, tries: 2 });
    const { batch } = trajectoriesOf(env, createPolicy(env.spec));
    batch.agentId_nt!.forEach((agents, n) => {
      assert.deepEqual(agents, ["scout", "opener", "opener"].slice(0, batch.turnCount_n[n]));
    });
    assert.ok(batch.agentId_nt!.some(({ length }) => length === 3));
  });

  it("say where a subgoal was chosen, where a turn decides on it", () => {
    const env = make("SubGoals-v0", { slack: 0, maxTurns: 1 });
    const { batch } = trajectoriesOf(env, createPolicy(env.spec));
    const words = [...batch.token_ntl].map((token) => env.spec.vocabulary[token]!);
    batch.switch_nt!.forEach((switched, n) => {
      const turn = words.slice(3 * n, 3 * n + 3).join(" ");
      assert.equal(switched, /^SWITCH (LEFT|RIGHT) (STEP|WORK)$/.test(turn) ? 1 : 0, turn);
    });
    // Two ends, two actions and two starts; a slip in the last turn is seen by nobody.
    assert.equal(batch.switch_nt!.filter(Boolean).length, 8);
    assert.deepEqual([...batch.role_ntl!.subarray(0, 3)], [2, 1, 0]);
  });
});
